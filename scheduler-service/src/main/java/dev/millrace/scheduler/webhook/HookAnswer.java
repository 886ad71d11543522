package dev.millrace.scheduler.webhook;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.RunId;
import java.time.Duration;
import java.util.Optional;

/** The answer to a call of a webhook. */
public sealed interface HookAnswer {
    int OK = 200;
    int ACCEPTED = 202;
    int BAD_REQUEST = 400;
    int UNAUTHORIZED = 401;
    int TOO_LARGE = 413;
    int UNPROCESSABLE = 422;
    int TOO_MANY_REQUESTS = 429;
    int UNAVAILABLE = 503;

    /**
     * The call was accepted.
     *
     * @param status HTTP status
     * @param run empty if the call starts none, or if another scheduler is about to start it
     * @param body result of the run, or what the caller expects; empty for the id of the run
     */
    record Accepted(int status, Optional<RunId> run, Optional<Json> body) implements HookAnswer {
        public Accepted {
            requireNonNull(run, "run");
            requireNonNull(body, "body");
        }
    }

    /**
     * The call was refused.
     *
     * @param code a word for programs
     * @param detail a sentence for people
     * @param retryAfter when to repeat the call; absent for a call that need not be repeated
     */
    record Refused(int status, String code, String detail, Optional<RunId> run, Optional<Duration> retryAfter)
            implements HookAnswer {
        public Refused {
            requireNonNull(code, "code");
            requireNonNull(detail, "detail");
            requireNonNull(run, "run");
            requireNonNull(retryAfter, "retryAfter");
        }

        static Refused of(int status, String code, String detail) {
            return new Refused(status, code, detail, Optional.empty(), Optional.empty());
        }
    }
}
