package dev.millrace.scheduler.access;

import java.util.Optional;

/** Finds whom a token stands for. Thread-safe. */
public interface Credentials {
    /** Whether the text looks like a token, so that it is worth a look into the database. Never waits. */
    boolean isToken(String text);

    /** Whether memory knows what the token gives, that it gives nothing, or that it has worked of late. Never waits. */
    boolean isRemembered(String token);

    /** Whether the database had the token about a minute ago. Costs no look for each token. Blocking. */
    boolean isKnown(String token);

    /** What the token gives, if that is in memory and new enough. Never waits. */
    Optional<Access> findRemembered(String token);

    /** What the token gives; empty if it is malformed, unknown, expired or revoked. Blocking. */
    Optional<Access> find(String token);
}
