package dev.millrace.e2e.support;

import dev.millrace.harness.ClusterPlan;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** Gives tests that break nothing one installation for all; they keep apart by their scripts' paths. */
public final class SharedInstallation implements ParameterResolver {
    /** The servers that flows of the tests call are on this machine; one of the examples is a server task. */
    private static ClusterPlan plan() {
        return ClusterPlan.small()
                .with("millrace.worker.http-allow-private", "true")
                .with(Installation.TASK_FOLDER, TaskJar.build().toString());
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == Installation.class
                || parameter.getParameter().getType() == Api.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        Start start = context.getRoot()
                .getStore(Namespace.create(SharedInstallation.class))
                .computeIfAbsent("start", _ -> Start.attempt(), Start.class);
        Installation installation = start.installation();
        return parameter.getParameter().getType() == Api.class ? installation.api() : installation;
    }

    /** How the only attempt to start went: where it failed, every test says so at once. */
    private record Start(
            @Nullable Installation running, @Nullable AssertionError failure) implements AutoCloseable {
        static Start attempt() {
            try {
                return new Start(Installation.start("shared", plan()), null);
            } catch (AssertionError e) {
                return new Start(null, e);
            }
        }

        Installation installation() {
            if (running == null) {
                throw new AssertionError("The shared installation has not started.", failure);
            }
            return running;
        }

        @Override
        public void close() {
            if (running != null) {
                running.close();
            }
        }
    }
}
