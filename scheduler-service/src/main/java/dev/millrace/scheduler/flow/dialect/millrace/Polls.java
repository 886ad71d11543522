package dev.millrace.scheduler.flow.dialect.millrace;

import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.flow.core.definition.StepAction;
import dev.millrace.scheduler.flow.core.definition.TaskOptions;
import dev.millrace.scheduler.flow.core.definition.TaskTarget;
import dev.millrace.scheduler.flow.dialect.Fields;
import dev.millrace.scheduler.flow.dialect.millrace.Drafts.Sight;
import dev.millrace.scheduler.queue.core.JobOptions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Reader and writer of {@code http_poll} and the keys beside it. */
final class Polls {
    static final String KEY = "http_poll";
    /** Keys that only a poll has. */
    static final List<String> KEYS = List.of("until", "every", "max_requests");

    private static final List<String> OF_REQUESTS = List.of("priority", "tag");
    /** Keys of a task that do not apply to the requests of a poll. */
    static final List<String> REFUSED = Stream.concat(
                    TaskFields.OWN_KEYS.stream().filter(key -> !OF_REQUESTS.contains(key)), Stream.of("retry_if"))
            .toList();

    private static final String HANDLER = "millrace.http";
    private static final int REQUESTS_MAX_DEFAULT = 1_000;

    private final StepParts parts;

    Polls(StepParts parts) {
        this.parts = parts;
    }

    StepAction.HttpPoll read(Fields fields) {
        parts.require(
                fields,
                "until",
                "The poll does not say what it waits for.",
                "Add until, for example until: ${{ result.body.state == 'done' }}.");
        parts.require(fields, "every", "The poll has no interval.", "Add every, for example every: 10s.");
        Template request = parts.object(
                        fields,
                        KEY,
                        "Write for example {url: https://example.com/jobs/1}.",
                        TaskFields.withReferences())
                .orElse(Template.Constant.EMPTY_OBJECT);
        TaskOptions given = new TaskFields(parts).options(fields);
        return new StepAction.HttpPoll(
                new StepAction.Task(
                        new TaskTarget.HandlerName(HANDLER),
                        request,
                        new TaskOptions(given.tag(), given.priority(), Optional.empty(), given.retry())),
                parts.template(fields, "until", Sight.RESULT).orElse(Template.Constant.NULL),
                Waits.duration(parts, fields, "every", Sight.RETRY),
                fields.whole("max_requests", 1, StepAction.HttpPoll.REQUESTS_LIMIT)
                        .orElse(REQUESTS_MAX_DEFAULT));
    }

    /** Reads the timeout of all requests together. */
    static Optional<Duration> timeout(Fields fields) {
        return fields.duration("timeout", Duration.ofMillis(1), JobOptions.TIMEOUT_LIMIT);
    }

    static void write(StepAction.HttpPoll poll, ValuePrinter values, Map<String, Object> step) {
        StepAction.Task request = poll.request();
        step.put(KEY, values.value(request.input()));
        step.put("until", values.value(poll.until()));
        step.put("every", values.value(poll.every()));
        step.put("max_requests", poll.requestsMax());
        request.options().tag().ifPresent(tag -> step.put("tag", values.value(tag)));
        if (request.options().priority() != 0) {
            step.put("priority", request.options().priority());
        }
        PolicyPrinter.retry(request.options().retry(), step);
    }
}
