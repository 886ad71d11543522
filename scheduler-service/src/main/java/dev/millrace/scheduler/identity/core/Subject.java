package dev.millrace.scheduler.identity.core;

import java.util.regex.Pattern;

/** Who has a role: {@code user:NAME}, {@code service-account:NAME} or {@code group:NAME}. */
public record Subject(Kind kind, String name) {
    /** Kinds of subjects. */
    public enum Kind {
        USER("user:"),
        SERVICE_ACCOUNT("service-account:"),
        /** A group of users, as an identity provider names it. */
        GROUP("group:");

        private final String prefix;

        Kind(String prefix) {
            this.prefix = prefix;
        }
    }

    private static final int GROUP_LENGTH_MAX = 200;
    private static final Pattern NAME = Pattern.compile("[\\p{Alnum}._@-]{1,100}");

    /** Reads a subject. Fails with {@link IllegalArgumentException} if the text is none. */
    public static Subject parse(String text) {
        for (Kind kind : Kind.values()) {
            if (text.startsWith(kind.prefix)) {
                String name = text.substring(kind.prefix.length());
                boolean isValid = kind == Kind.GROUP
                        ? !name.isBlank() && name.length() <= GROUP_LENGTH_MAX && name.indexOf('\0') < 0
                        : isName(name);
                if (isValid) {
                    return new Subject(kind, name);
                }
            }
        }
        throw new IllegalArgumentException(
                "\"" + text.replace("\0", "\\0") + "\" (expected: user:NAME, service-account:NAME or group:NAME)");
    }

    /** Whether users and service accounts may have this name. */
    public static boolean isName(String name) {
        return NAME.matcher(name).matches();
    }

    @Override
    public String toString() {
        return kind.prefix + name;
    }
}
