package dev.millrace.cli.identity;

import dev.millrace.cli.client.ApiPath;

/** Kinds of principals that commands create. */
enum PrincipalKind {
    USER("user", "users"),
    SERVICE_ACCOUNT("service account", "service-accounts");

    private final String phrase;
    private final String command;

    PrincipalKind(String phrase, String command) {
        this.phrase = phrase;
        this.command = command;
    }

    /** In the middle of a sentence. */
    String phrase() {
        return phrase;
    }

    ApiPath collection() {
        return switch (this) {
            case USER -> ApiPath.shared("/users");
            case SERVICE_ACCOUNT -> ApiPath.of("/service-accounts");
        };
    }

    /** Name of the group of commands. */
    String command() {
        return command;
    }
}
