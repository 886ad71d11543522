package dev.millrace.bench.system;

/**
 * How callers and workers reach the schedulers of an installation.
 *
 * @param hasTokens whether callers and workers must show tokens
 * @param hasTls whether connections to schedulers use TLS
 */
public record Protection(boolean hasTokens, boolean hasTls) {}
