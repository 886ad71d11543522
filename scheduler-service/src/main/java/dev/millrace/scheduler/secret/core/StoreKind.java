package dev.millrace.scheduler.secret.core;

import java.util.Arrays;
import java.util.Locale;

/** Where the value of a secret lies. */
public enum StoreKind {
    /** In the database, encrypted. */
    LOCAL,
    /** In a file that another program writes. */
    FOLDER,
    /** In Vault or OpenBao. */
    VAULT;

    private static final StoreKind[] ALL = values();

    /** The name in tables and messages. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * The kind with this {@link #text}.
     *
     * @throws IllegalArgumentException if there is none
     */
    public static StoreKind of(String text) {
        return Arrays.stream(ALL)
                .filter(kind -> kind.text().equals(text))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(text + " (expected: local, folder or vault)"));
    }
}
