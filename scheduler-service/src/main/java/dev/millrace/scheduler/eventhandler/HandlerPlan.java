package dev.millrace.scheduler.eventhandler;

import static java.util.Objects.requireNonNull;

import java.util.List;

/** What a handler does with a message. */
sealed interface HandlerPlan {
    /** It does these actions. */
    record Actions(List<PlannedAction> actions) implements HandlerPlan {
        public Actions {
            actions = List.copyOf(actions);
        }
    }

    /** It does nothing, because the message is none of those that it wants. */
    record Skipped(String reason) implements HandlerPlan {
        public Skipped {
            requireNonNull(reason, "reason");
        }
    }

    /** It can do nothing. */
    record Failed(String reason) implements HandlerPlan {
        public Failed {
            requireNonNull(reason, "reason");
        }
    }
}
