package dev.millrace.bench.system;

/** Runs a flow and waits for its result, over whatever a client would use. */
@FunctionalInterface
public interface FlowCaller {
    EndedRun call(String flow, String input) throws Exception;
}
