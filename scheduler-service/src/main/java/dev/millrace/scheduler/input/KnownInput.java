package dev.millrace.scheduler.input;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.queue.core.Json;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What is known about an input before its values are computed.
 *
 * @param members the value of each of its keys; empty for a value that is computed later. The input has no other keys
 */
public record KnownInput(Map<String, Optional<Json>> members) {
    public KnownInput {
        members = new TreeMap<>(requireNonNull(members, "members"));
    }

    /** Why a script certainly does not take an input. */
    public sealed interface Misfit {
        /** The key to which it belongs. */
        String key();

        /** A key that the script does not take. */
        record Unknown(String key) implements Misfit {}

        /** A key without which the script does not run. */
        record Missing(String key) implements Misfit {}

        /**
         * A value that the script does not take.
         *
         * @param message what is wrong with the value, and what to do, in full sentences
         */
        record Wrong(String key, String message) implements Misfit {}
    }
}
