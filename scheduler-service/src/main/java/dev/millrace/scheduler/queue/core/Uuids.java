package dev.millrace.scheduler.queue.core;

import java.util.UUID;

/** Operations on UUIDs that the JDK lacks or performs too leniently. */
public final class Uuids {
    private static final int TEXT_LENGTH = 36;

    private Uuids() {}

    /** Parses the canonical form of 36 characters. Unlike {@link UUID#fromString}, it rejects shortened groups. */
    public static UUID parse(String text) {
        if (text.length() != TEXT_LENGTH) {
            throw new IllegalArgumentException("\"" + text + "\" is no id (expected: a UUID of 36 characters)");
        }
        try {
            return UUID.fromString(text);
        } catch (IllegalArgumentException notHexadecimal) {
            throw new IllegalArgumentException(
                    "\"" + text + "\" is no id (expected: a UUID of 36 characters)", notHexadecimal);
        }
    }

    static int compareUnsigned(UUID a, UUID b) {
        int high = Long.compareUnsigned(a.getMostSignificantBits(), b.getMostSignificantBits());
        return high != 0 ? high : Long.compareUnsigned(a.getLeastSignificantBits(), b.getLeastSignificantBits());
    }
}
