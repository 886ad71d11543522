package dev.millrace.scheduler.trigger;

import static java.util.Objects.requireNonNull;

import com.google.protobuf.ByteString;
import dev.millrace.scheduler.access.Access;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.queue.core.Json;

/**
 * A kind of trigger that the file of a flow can declare.
 *
 * @param section key of the file, for example {@code schedules}
 * @param reader reads one of them
 * @param check checks what their settings refer to
 * @param changed called after each change
 */
public record DeclaredKind(String section, Triggers triggers, Reader reader, SettingsCheck check, Runnable changed) {
    public DeclaredKind {
        requireNonNull(section, "section");
        requireNonNull(triggers, "triggers");
        requireNonNull(reader, "reader");
        requireNonNull(check, "check");
        requireNonNull(changed, "changed");
    }

    /** Reads what a file says of a trigger. */
    @FunctionalInterface
    public interface Reader {
        /**
         * Reads a trigger. What is wrong is noted in the fields.
         *
         * @param flow path of the flow, which the trigger starts
         */
        Declared read(String flow, DeclaredFields fields);
    }

    /**
     * What a file says of a trigger.
     *
     * @param sample input of a run, without what an event adds
     * @param isWhole whether each run gets this input
     * @param adder key that names the member of the sample that {@code input} does not have; empty if there is none
     */
    public record Declared(TriggerSpec spec, Json sample, boolean isWhole, String adder) {
        public Declared {
            requireNonNull(spec, "spec");
            requireNonNull(sample, "sample");
            requireNonNull(adder, "adder");
        }

        /** A trigger whose events add to the input what the file does not know. */
        public Declared(TriggerSpec spec) {
            this(spec, spec.run().input(), false, "");
        }

        /** The key of the file that gives a member of the sample, or lacks it. */
        String keyOf(String member) {
            boolean isAdded = !adder.isEmpty()
                    && JsonValue.of(sample).members().containsKey(member)
                    && !JsonValue.of(spec.run().input()).members().containsKey(member);
            return isAdded ? adder : "input";
        }
    }

    /** Checks what the settings of a trigger refer to. */
    @FunctionalInterface
    public interface SettingsCheck {
        /** For kinds that refer to nothing. */
        SettingsCheck NONE = (_, _, _) -> {};

        /** Fails unless the author may use what the settings name. */
        void require(ByteString settings, TriggerKey key, Access by);
    }
}
