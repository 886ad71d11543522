package dev.millrace.scheduler.rpc;

import io.grpc.ServerInterceptor;

/**
 * What decides on each call.
 *
 * @param authentication finds out who calls, before anything of the call is read, on a thread that must not wait
 * @param authorization refuses requests that the caller may not make; it may wait, and its exceptions are translated
 */
public record CallGuards(ServerInterceptor authentication, ServerInterceptor authorization) {}
