package dev.millrace.e2e.support;

import dev.millrace.harness.ClusterPlan;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** Gives tests that break nothing one installation for all; they keep apart by their scripts' paths. */
public final class SharedInstallation implements ParameterResolver {
    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == Installation.class
                || parameter.getParameter().getType() == Api.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        Installation installation = context.getRoot()
                .getStore(Namespace.create(SharedInstallation.class))
                .computeIfAbsent(
                        "installation", _ -> Installation.start("shared", ClusterPlan.small()), Installation.class);
        return parameter.getParameter().getType() == Api.class ? installation.api() : installation;
    }
}
