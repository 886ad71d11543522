package dev.millrace.gateway.json;

import static java.util.Locale.ROOT;

import java.util.Optional;
import java.util.stream.Stream;

/** Names of enum values in JSON: those of the gRPC contract without their prefix, in lower case. */
public final class EnumNames {

    private static final String UNSPECIFIED = "unspecified";
    private static final String UNRECOGNIZED = "unrecognized";

    private EnumNames() {}

    public static String json(Enum<?> value, String prefix) {
        var name = value.name();
        return (name.startsWith(prefix) ? name.substring(prefix.length()) : name).toLowerCase(ROOT);
    }

    /** Returns the value with this JSON name; empty if there is none. */
    public static <E extends Enum<E>> Optional<E> parse(Class<E> type, String prefix, String name) {
        return settable(type).filter(value -> json(value, prefix).equals(name)).findFirst();
    }

    /** Lists all names that {@link #parse} accepts, for messages. */
    public static <E extends Enum<E>> String known(Class<E> type, String prefix) {
        return String.join(
                ", ", settable(type).map(value -> json(value, prefix)).toList());
    }

    private static <E extends Enum<E>> Stream<E> settable(Class<E> type) {
        return Stream.of(type.getEnumConstants())
                .filter(value -> !value.name().toLowerCase(ROOT).endsWith(UNSPECIFIED)
                        && !value.name().toLowerCase(ROOT).equals(UNRECOGNIZED));
    }
}
