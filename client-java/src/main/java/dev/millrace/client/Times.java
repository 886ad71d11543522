package dev.millrace.client;

import com.google.protobuf.Timestamp;
import java.time.Duration;
import java.time.Instant;

/** Converts times between Java and messages. */
final class Times {
    private Times() {}

    static Duration duration(com.google.protobuf.Duration message) {
        return Duration.ofSeconds(message.getSeconds(), message.getNanos());
    }

    static com.google.protobuf.Duration message(Duration duration) {
        return com.google.protobuf.Duration.newBuilder()
                .setSeconds(duration.getSeconds())
                .setNanos(duration.getNano())
                .build();
    }

    static Instant instant(Timestamp message) {
        return Instant.ofEpochSecond(message.getSeconds(), message.getNanos());
    }

    static Timestamp message(Instant instant) {
        return Timestamp.newBuilder()
                .setSeconds(instant.getEpochSecond())
                .setNanos(instant.getNano())
                .build();
    }
}
