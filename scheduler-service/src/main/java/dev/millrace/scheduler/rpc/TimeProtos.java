package dev.millrace.scheduler.rpc;

import com.google.protobuf.Duration;
import com.google.protobuf.Timestamp;
import java.time.DateTimeException;
import java.time.Instant;

/** Converts times and durations to messages and back. */
public final class TimeProtos {
    private TimeProtos() {}

    public static Timestamp timestamp(Instant time) {
        return Timestamp.newBuilder()
                .setSeconds(time.getEpochSecond())
                .setNanos(time.getNano())
                .build();
    }

    public static Duration duration(java.time.Duration duration) {
        return Duration.newBuilder()
                .setSeconds(duration.getSeconds())
                .setNanos(duration.getNano())
                .build();
    }

    /** Fails with {@link IllegalArgumentException} if the time is out of range. */
    public static Instant instant(Timestamp time) {
        try {
            return Instant.ofEpochSecond(time.getSeconds(), time.getNanos());
        } catch (DateTimeException | ArithmeticException outside) {
            throw new IllegalArgumentException("is not a valid point in time", outside);
        }
    }

    /** Fails with {@link IllegalArgumentException} if the duration is out of range. */
    public static java.time.Duration duration(Duration duration) {
        try {
            return java.time.Duration.ofSeconds(duration.getSeconds(), duration.getNanos());
        } catch (ArithmeticException outside) {
            throw new IllegalArgumentException("is not a valid duration", outside);
        }
    }
}
