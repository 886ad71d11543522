package dev.millrace.cli.identity;

import dev.millrace.cli.client.ApiPath;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options that say whose token is created; without any, the caller's own. */
final class TokenOwner {
    @Option(names = "--user", paramLabel = "NAME", description = "For this user; needs an owner.")
    private @Nullable String user;

    @Option(
            names = "--service-account",
            paramLabel = "NAME",
            description = "For this service account of the workspace; needs an admin.")
    private @Nullable String serviceAccount;

    @Option(names = "--worker", description = "For workers of the workspace; needs an admin.")
    private boolean isWorker;

    @Option(
            names = "--shared-worker",
            description = "For workers of all workspaces that are not isolated; needs an owner.")
    private boolean isSharedWorker;

    @Option(names = "--gateway", description = "For gateways; needs an owner.")
    private boolean isGateway;

    Optional<String> user() {
        return Optional.ofNullable(user);
    }

    /** Whether the token is one of a person or a program, which may be cut to folders and roles. */
    boolean isOfPrincipal() {
        return !isWorker && !isShared();
    }

    /** Whether the token is for jobs. */
    boolean isForJobs() {
        return isWorker || isSharedWorker;
    }

    boolean isSharedWorker() {
        return isSharedWorker;
    }

    /** Whether the token belongs to the installation. */
    boolean isShared() {
        return isSharedWorker || isGateway;
    }

    /** Kind of a shared token, in the words of the server. */
    String sharedKind() {
        return isGateway ? "gateway" : "worker";
    }

    /** Where such tokens are created. */
    ApiPath path() {
        if (serviceAccount != null) {
            return ApiPath.of("/service-accounts").name(serviceAccount).then("/tokens");
        }
        if (isWorker) {
            return ApiPath.of("/worker-tokens");
        }
        return ApiPath.shared(isShared() ? "/shared-tokens" : "/tokens");
    }
}
