package dev.millrace.worker.internal.permission;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/** A kind of permission of Deno. */
public enum Permission {
    /** Hosts, with or without a port. A host without a port means all its ports. */
    NET("(?:[a-z0-9_](?:[a-z0-9_.-]{0,251}[a-z0-9_])?|\\[[0-9a-f:.]{2,45}\\])(?::[0-9]{1,5})?"),
    /** Variables. */
    ENV("[A-Za-z_][A-Za-z0-9_]{0,99}"),
    /** What Deno tells about the system. */
    SYS("[A-Za-z]{1,30}"),
    /** Files and folders to read, with all below them. */
    READ("/[^,\\s]{0,1000}"),
    /** Files and folders to write, with all below them. */
    WRITE("/[^,\\s]{0,1000}"),
    /** Programs. Each of them may do what the worker's user may. */
    RUN("[A-Za-z0-9_.+/-]{1,200}"),
    /** Libraries to load. Each of them may do what the worker's user may. */
    FFI("/[^,\\s]{0,1000}");

    private static final String PREFIX = "allow-";

    private final Pattern values;

    Permission(String values) {
        this.values = Pattern.compile(values);
    }

    /** The permission that an annotation names, such as {@code allow-net}. */
    public static Optional<Permission> of(String item) {
        return Arrays.stream(values()).filter(one -> one.item().equals(item)).findFirst();
    }

    /** Its name in annotations, in settings and as a flag of Deno. */
    public String item() {
        return PREFIX + name().toLowerCase(Locale.ROOT);
    }

    boolean isPath() {
        return this == READ || this == WRITE || this == FFI;
    }

    /** Whether a script has it without asking, within what the worker grants. */
    boolean isUsual() {
        return this == NET || this == ENV || this == SYS;
    }

    /** The value in the form in which values are compared. */
    String normal(String value) {
        String text = this == NET ? value.toLowerCase(Locale.ROOT) : value;
        if (!values.matcher(text).matches()) {
            throw new IllegalArgumentException(item() + "=" + value);
        }
        return text;
    }
}
