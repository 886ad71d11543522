package dev.millrace.scheduler.webhook.core;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.trigger.core.MemberPath;
import java.util.Locale;
import java.util.Optional;

/** What two calls have in common that count as one. */
public sealed interface Deduplication {
    /** What names the message: by the scheme of the webhook, or else as a CloudEvent. */
    record ByMessage() implements Deduplication {}

    /**
     * The value of a header.
     *
     * @param name in lower case
     */
    record ByHeader(String name) implements Deduplication {
        public ByHeader {
            name = name.toLowerCase(Locale.ROOT);
        }
    }

    /**
     * A value of the body.
     *
     * @param path names of members, separated by dots
     */
    record ByBody(String path) implements Deduplication {
        public ByBody {
            requireNonNull(path, "path");
        }
    }

    /** Nothing: each call starts a run. */
    record Off() implements Deduplication {}

    /** What names the message of a call; empty if each such call starts a run. */
    static Optional<String> key(
            Deduplication by, Scheme scheme, HookCall call, HookContent content, Verdict.Genuine verdict) {
        return switch (by) {
            case ByMessage _ -> message(scheme, content, verdict);
            case ByHeader(String name) -> call.header(name).filter(value -> !value.isEmpty());
            case ByBody(String path) -> MemberPath.text(content.body(), path);
            case Off _ -> Optional.empty();
        };
    }

    private static Optional<String> message(Scheme scheme, HookContent content, Verdict.Genuine verdict) {
        return verdict.message()
                .or(() -> scheme == Scheme.STRIPE ? MemberPath.text(content.body(), "id") : Optional.empty())
                .or(() -> content.event().map(CloudEvents::name));
    }
}
