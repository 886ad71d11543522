package dev.millrace.bench.system;

/** Runs a flow and waits for its result, over the interface of a client. */
@FunctionalInterface
public interface FlowCaller {
    EndedRun call(String flow, String input) throws Exception;
}
