package dev.millrace.scheduler.identity.login;

import java.time.Instant;

/**
 * A program that wants a token.
 *
 * @param clientName what the program calls itself, which nobody has checked
 * @param address from which it has asked
 */
record Device(String clientName, String address, Instant createdAt, Instant expiresAt) {}
