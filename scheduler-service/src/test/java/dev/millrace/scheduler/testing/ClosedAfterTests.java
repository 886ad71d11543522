package dev.millrace.scheduler.testing;

import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** What is closed after all tests of a class if a static field registers it, else after each test. */
abstract class ClosedAfterTests implements AutoCloseable, BeforeAllCallback, AfterEachCallback, AfterAllCallback {
    private boolean isOfClass;

    /** Called for static fields only: the others are registered later. */
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
