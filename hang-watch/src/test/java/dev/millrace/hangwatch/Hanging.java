package dev.millrace.hangwatch;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** A test that hangs and heeds no interrupt, and a program that executes it. Maven does not find it by its name. */
final class Hanging {
    @Test
    void waitsForever() {
        new CompletableFuture<Void>().join();
    }

    public static void main(String[] arguments) {
        LauncherFactory.create()
                .execute(LauncherDiscoveryRequestBuilder.request()
                        .selectors(selectClass(Hanging.class))
                        .build());
    }
}
