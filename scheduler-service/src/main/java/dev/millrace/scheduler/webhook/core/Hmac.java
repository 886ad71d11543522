package dev.millrace.scheduler.webhook.core;

/** The function HMAC-SHA-256, which the platform provides. */
@FunctionalInterface
public interface Hmac {
    /** The 32 bytes of HMAC-SHA-256 of a message. The key has at least one byte. */
    byte[] sha256(byte[] key, byte[] message);
}
