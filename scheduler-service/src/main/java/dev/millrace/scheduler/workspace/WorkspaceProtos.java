package dev.millrace.scheduler.workspace;

import dev.millrace.proto.workspace.v1.Workspace;
import dev.millrace.scheduler.error.Violations;
import dev.millrace.scheduler.rpc.TimeProtos;
import dev.millrace.scheduler.workspace.core.KnownWorkspace;
import dev.millrace.scheduler.workspace.core.WorkspaceState;

/** Converts messages about workspaces. */
final class WorkspaceProtos {
    private static final int DESCRIPTION_LENGTH_MAX = 1_000;

    private WorkspaceProtos() {}

    static Workspace message(KnownWorkspace known) {
        Workspace.Builder message = Workspace.newBuilder()
                .setName(known.name())
                .setDescription(known.description())
                .setIsolated(known.isIsolated())
                .setState(state(known.state()))
                .addAllFormerNames(known.formerNames())
                .setCreateTime(TimeProtos.timestamp(known.createdAt()))
                .setCreatedBy(known.createdBy());
        known.archivedAt().map(TimeProtos::timestamp).ifPresent(message::setArchiveTime);
        known.deletedAt().map(TimeProtos::timestamp).ifPresent(message::setDeleteTime);
        return message.build();
    }

    static String name(String field, String given, Violations violations) {
        violations.require(
                dev.millrace.scheduler.queue.core.Workspace.isName(given),
                field,
                "\"" + given.replace("\0", "\\0") + "\" (expected: 1 to "
                        + dev.millrace.scheduler.queue.core.Workspace.LENGTH_MAX
                        + " characters a-z, 0-9, '_' and '-', the first a letter or digit)");
        return given;
    }

    static String description(String given, Violations violations) {
        violations.require(
                given.length() <= DESCRIPTION_LENGTH_MAX && given.indexOf('\0') < 0,
                "description",
                given.length() + " characters (expected: at most " + DESCRIPTION_LENGTH_MAX + ", none of them NUL)");
        return given;
    }

    private static Workspace.State state(WorkspaceState state) {
        return switch (state) {
            case ACTIVE -> Workspace.State.STATE_ACTIVE;
            case ARCHIVED -> Workspace.State.STATE_ARCHIVED;
            case DELETING -> Workspace.State.STATE_DELETING;
        };
    }
}
