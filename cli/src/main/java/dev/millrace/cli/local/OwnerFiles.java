package dev.millrace.cli.local;

import dev.millrace.worker.ScriptSandbox;
import io.smallrye.config.SmallRyeConfig;
import java.util.function.BooleanSupplier;

/**
 * Whether scripts can read the files of the user who has started everything: the token of the owner, the keys of secrets and
 * the password of the database. All services of {@code dev} run as one user, and so do scripts. If callers need tokens, that
 * must not make owners of all who may deploy a script.
 */
enum OwnerFiles {
    /** Callers need no token, so there is nothing to protect. */
    OPEN,
    /** Scripts run in a sandbox, where these files do not exist. */
    HIDDEN,
    /** Scripts run without a sandbox, though callers need tokens. */
    READABLE;

    static final String REQUIRED = "millrace.access.required";
    private static final String NONE = "none";

    /**
     * What the settings and the machine make possible.
     *
     * @param isSandboxPossible tries it
     */
    static OwnerFiles of(SmallRyeConfig config, BooleanSupplier isSandboxPossible) {
        if (!isTokenRequired(config)) {
            return OPEN;
        }
        boolean isUnwanted = config.getOptionalValue(WorkerSettings.SANDBOX, String.class)
                .filter(NONE::equals)
                .isPresent();
        return !isUnwanted && isSandboxPossible.getAsBoolean() ? HIDDEN : READABLE;
    }

    static boolean isTokenRequired(SmallRyeConfig config) {
        return config.getOptionalValue(REQUIRED, Boolean.class).orElse(false);
    }

    static OwnerFiles of(SmallRyeConfig config) {
        return of(config, ScriptSandbox::isPossible);
    }

    /**
     * Settings of the worker beyond those that were given. Scripts keep the network, which {@code dev} gives them otherwise,
     * unless the settings take it.
     */
    Flags with(Flags flags, SmallRyeConfig given) {
        return this != HIDDEN
                ? flags
                : flags.with(WorkerSettings.SANDBOX, "bwrap")
                        .with(
                                WorkerSettings.SANDBOX_NETWORK,
                                given.getOptionalValue(WorkerSettings.SANDBOX_NETWORK, Boolean.class)
                                        .orElse(true));
    }
}
