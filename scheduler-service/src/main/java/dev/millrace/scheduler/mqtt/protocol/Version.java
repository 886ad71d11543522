package dev.millrace.scheduler.mqtt.protocol;

import java.util.Optional;
import java.util.stream.Stream;

/** Versions of the protocol. */
public enum Version {
    V3_1_1("3.1.1", 4),
    V5("5", 5);

    private final String text;
    private final int level;

    Version(String text, int level) {
        this.text = text;
        this.level = level;
    }

    /** The version that people mean; empty if there is none. */
    static Optional<Version> of(String text) {
        return Stream.of(values()).filter(version -> version.text.equals(text)).findFirst();
    }

    /** The number by which clients name the version. */
    int level() {
        return level;
    }

    @Override
    public String toString() {
        return text;
    }
}
