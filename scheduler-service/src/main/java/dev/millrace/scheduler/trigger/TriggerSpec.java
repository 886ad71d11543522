package dev.millrace.scheduler.trigger;

import static java.util.Objects.requireNonNull;

import com.google.protobuf.ByteString;
import dev.millrace.scheduler.submission.RunTemplate;

/**
 * What the author of a trigger says.
 *
 * @param run what it starts: target, fixed input, options
 * @param settings message of the kind, which the base does not read
 * @param description what the trigger is for
 */
public record TriggerSpec(RunTemplate run, ByteString settings, String description) {
    public TriggerSpec {
        requireNonNull(run, "run");
        requireNonNull(settings, "settings");
        requireNonNull(description, "description");
    }
}
