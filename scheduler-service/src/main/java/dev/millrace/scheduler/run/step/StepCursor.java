package dev.millrace.scheduler.run.step;

import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.rpc.PageRequest;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.UUID;

/** Position of a reader in the pages of a run's steps. */
sealed interface StepCursor {
    StepCursor BEGINNING = new Finished(HistoryPosition.BEGINNING);

    /** After a finished step. */
    record Finished(HistoryPosition position) implements StepCursor {
        @Override
        public String text() {
            return "f" + ChronoUnit.MICROS.between(Instant.EPOCH, position.ended()) + ":" + position.id();
        }
    }

    /** After a container in progress. */
    record Container(String key) implements StepCursor {
        @Override
        public String text() {
            return "c" + key;
        }
    }

    /** After a live job; empty before the first. */
    record Live(Optional<JobId> id) implements StepCursor {
        @Override
        public String text() {
            return "l" + id.map(JobId::toString).orElse("");
        }
    }

    /** Text for a page token. */
    String text();

    static StepCursor parse(String text) {
        if (text.isEmpty()) {
            return BEGINNING;
        }
        String rest = text.substring(1);
        try {
            return switch (text.charAt(0)) {
                case 'f' -> finished(rest);
                case 'c' -> new Container(rest);
                case 'l' -> new Live(rest.isEmpty() ? Optional.empty() : Optional.of(JobId.parse(rest)));
                default -> throw PageRequest.badToken();
            };
        } catch (IllegalArgumentException | ArithmeticException | DateTimeException foreign) {
            throw PageRequest.badToken();
        }
    }

    private static Finished finished(String text) {
        int colon = text.indexOf(':');
        if (colon < 0) {
            throw PageRequest.badToken();
        }
        Instant ended = Instant.EPOCH.plus(Long.parseLong(text.substring(0, colon)), ChronoUnit.MICROS);
        UUID id = JobId.parse(text.substring(colon + 1)).value();
        return new Finished(new HistoryPosition(ended, id));
    }
}
