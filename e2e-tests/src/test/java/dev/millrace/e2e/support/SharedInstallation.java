package dev.millrace.e2e.support;

import dev.millrace.harness.ClusterPlan;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** Provides one shared installation to tests that break nothing. The paths of their scripts keep the tests apart. */
public final class SharedInstallation implements ParameterResolver {
    /** Plan in which flows may call servers on this machine, and with a server task for one of the examples. */
    private static ClusterPlan plan() {
        return ClusterPlan.small()
                .with("millrace.worker.http-allow-private", "true")
                .with("millrace.worker.sql-allow-private", "true")
                .with("millrace.worker.sqlite-folders", System.getProperty("java.io.tmpdir"))
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

    /** Result of the only attempt to start: if it failed, every test reports that at once. */
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
