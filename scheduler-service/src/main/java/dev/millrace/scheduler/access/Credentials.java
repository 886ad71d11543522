package dev.millrace.scheduler.access;

import java.util.Optional;

/** Finds whom a token stands for. Thread-safe. */
public interface Credentials {
    /** What the token gives, if that is in memory and new enough. Never waits. */
    Optional<Access> findRemembered(String token);

    /** What the token gives; empty if it is malformed, unknown, expired or revoked. Blocking. */
    Optional<Access> find(String token);
}
