package dev.millrace.flowtest.lease;

/** What the explorer looks for. */
final class BrokenPromise extends RuntimeException {
    private static final long serialVersionUID = 1;

    BrokenPromise(String what) {
        super(what);
    }
}
