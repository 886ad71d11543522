package dev.millrace.certificate;

import java.time.Duration;
import java.time.Instant;

/** Time for which a certificate is valid. */
public record Validity(Instant from, Instant until) {
    public Validity {
        if (!from.isBefore(until)) {
            throw new IllegalArgumentException("until: " + until + " (expected: after " + from + ")");
        }
    }

    /** From now on, and an hour before for machines whose clocks are late. */
    public static Validity ofNext(Duration time) {
        Instant now = Instant.now();
        return new Validity(now.minus(Duration.ofHours(1)), now.plus(time));
    }
}
