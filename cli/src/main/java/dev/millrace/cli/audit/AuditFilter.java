package dev.millrace.cli.audit;

import dev.millrace.cli.client.ApiPath;
import dev.millrace.cli.run.MomentConverter;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options that say which events are wanted. */
final class AuditFilter {
    @Option(names = "--principal", paramLabel = "NAME", description = "Who called.")
    private @Nullable String principal;

    @Option(names = "--action", paramLabel = "NAME", description = "What was called, for example DeployFlow.")
    private @Nullable String action;

    @Option(names = "--subject", paramLabel = "TEXT", description = "What it was called for: a path, an id, a name.")
    private @Nullable String subject;

    @Option(names = "--outcome", paramLabel = "NAME", description = "allowed, denied, failed or unknown.")
    private @Nullable String outcome;

    @Option(
            names = "--since",
            paramLabel = "TIME",
            converter = MomentConverter.class,
            description = "At or after this time: " + MomentConverter.FORMS + ".")
    private @Nullable String since;

    @Option(
            names = "--until",
            paramLabel = "TIME",
            converter = MomentConverter.class,
            description = "Before this time: " + MomentConverter.FORMS + ".")
    private @Nullable String until;

    @Option(names = "--all", description = "Of all workspaces and of the installation; for its owners.")
    private boolean isAll;

    /** The events of the workspace, or of all of them. */
    ApiPath path(String collection) {
        ApiPath path = isAll ? ApiPath.shared(collection).with("all", "true") : ApiPath.of(collection);
        return path.withIfGiven("principal", principal)
                .withIfGiven("action", action)
                .withIfGiven("subject", subject)
                .withIfGiven("outcome", outcome)
                .withIfGiven("since", since)
                .withIfGiven("until", until);
    }
}
