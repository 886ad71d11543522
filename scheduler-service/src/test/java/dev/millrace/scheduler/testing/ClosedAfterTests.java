package dev.millrace.scheduler.testing;

import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A resource of tests. Registered by a static field, it is closed after all tests of the class, otherwise after each
 * test.
 */
abstract class ClosedAfterTests implements AutoCloseable, BeforeAllCallback, AfterEachCallback, AfterAllCallback {
    private boolean isOfClass;

    /** JUnit calls this method for static fields only; it registers others later. */
    @Override
    public final void beforeAll(ExtensionContext context) {
        isOfClass = true;
    }

    @Override
    public final void afterEach(ExtensionContext context) {
        if (!isOfClass) {
            close();
        }
    }

    @Override
    public final void afterAll(ExtensionContext context) {
        close();
    }

    @Override
    public abstract void close();
}
