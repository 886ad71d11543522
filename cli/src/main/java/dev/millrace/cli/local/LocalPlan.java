package dev.millrace.cli.local;

import java.nio.file.Path;
import java.util.Optional;

/**
 * Services that {@code millrace dev} and {@code millrace demo} start.
 *
 * @param databaseUrl a database of the user's own; empty starts an embedded one
 * @param dataFolder where an embedded database keeps its data; empty deletes the data at the end
 * @param state folder for unpacked files
 * @param httpPort port of the gateway, 0 for a free one
 * @param grpcPort port of the scheduler, 0 for a free one
 * @param httpAllowPrivate whether HTTP requests of flows may go to addresses that are not public
 * @param sqlAllowPrivate whether inputs of scripts in SQL may name databases at addresses that are not public
 * @param isTokenRequired whether also callers on this machine must show a token; if not, the settings decide
 * @param config YAML file with further settings
 */
public record LocalPlan(
        Optional<String> databaseUrl,
        Optional<Path> dataFolder,
        Path state,
        int httpPort,
        int grpcPort,
        boolean httpAllowPrivate,
        boolean sqlAllowPrivate,
        boolean isTokenRequired,
        Optional<Path> config) {
    public static final int HTTP_PORT_DEFAULT = 8400;
    public static final int GRPC_PORT_DEFAULT = 8401;

    /** Folder to which Postgres is unpacked once. */
    public Path postgresBinaries() {
        return state.resolve("postgres");
    }

    /** Folder with the keys of secrets: beside the data, so that a backup of the data alone reveals nothing. */
    Path keys() {
        return dataFolder.map(data -> data.resolveSibling("keys")).orElseGet(() -> state.resolve("keys"));
    }

    /**
     * File for the token of the first owner, if callers need tokens. Data that is deleted at the end has owners of its own,
     * so it has a file of its own.
     */
    Path ownerToken() {
        return dataFolder
                .map(data -> data.resolveSibling("owner-token"))
                .orElseGet(() ->
                        state.resolve("owner-token." + ProcessHandle.current().pid()));
    }

    /** All services on free ports, with a database that is deleted at the end. */
    public static LocalPlan ephemeral(Path state) {
        return new LocalPlan(Optional.empty(), Optional.empty(), state, 0, 0, false, false, false, Optional.empty());
    }
}
