package dev.millrace.scheduler.identity;

import dev.millrace.proto.identity.v1.TokenRestrictions;
import dev.millrace.scheduler.access.Role;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.rpc.TimeProtos;
import java.util.UUID;

/** Writes principals, roles and tokens as messages. */
public final class IdentityProtos {
    private IdentityProtos() {}

    static dev.millrace.proto.identity.v1.Principal message(Principal principal) {
        var message = dev.millrace.proto.identity.v1.Principal.newBuilder()
                .setId(principal.id().toString())
                .setKind(
                        switch (principal.kind()) {
                            case USER -> dev.millrace.proto.identity.v1.Principal.Kind.KIND_USER;
                            case SERVICE_ACCOUNT -> dev.millrace.proto.identity.v1.Principal.Kind.KIND_SERVICE_ACCOUNT;
                            case GROUP -> throw new IllegalArgumentException("a group is no principal");
                        })
                .setName(principal.name())
                .setWorkspace(principal.workspace().map(Workspace::name).orElse(""))
                .addAllGroups(principal.groups())
                .setMayActAs(principal.mayActAs())
                .setCreateTime(TimeProtos.timestamp(principal.createdAt()));
        principal.disabledAt().map(TimeProtos::timestamp).ifPresent(message::setDisableTime);
        return message.build();
    }

    static dev.millrace.proto.identity.v1.RoleBinding message(RoleBinding binding) {
        return dev.millrace.proto.identity.v1.RoleBinding.newBuilder()
                .setWorkspace(binding.workspace().map(Workspace::name).orElse(""))
                .setFolder(binding.folder())
                .setSubject(binding.subject().toString())
                .setRole(binding.role().message())
                .build();
    }

    public static dev.millrace.proto.identity.v1.Token message(Token token) {
        var message = dev.millrace.proto.identity.v1.Token.newBuilder()
                .setId(token.id().toString())
                .setKind(
                        switch (token.kind()) {
                            case USER -> dev.millrace.proto.identity.v1.Token.Kind.KIND_USER;
                            case SERVICE_ACCOUNT -> dev.millrace.proto.identity.v1.Token.Kind.KIND_SERVICE_ACCOUNT;
                            case WORKER -> dev.millrace.proto.identity.v1.Token.Kind.KIND_WORKER;
                            case GATEWAY -> dev.millrace.proto.identity.v1.Token.Kind.KIND_GATEWAY;
                            case SESSION -> dev.millrace.proto.identity.v1.Token.Kind.KIND_SESSION;
                        })
                .setName(token.name())
                .setPrincipal(token.principal().map(Principal::name).orElse(""))
                .setRestrictions(message(token.restrictions()))
                .setCreatedBy(token.createdBy())
                .setCreateTime(TimeProtos.timestamp(token.createdAt()));
        token.issuedBy().map(UUID::toString).ifPresent(message::setIssuedBy);
        token.expiresAt().map(TimeProtos::timestamp).ifPresent(message::setExpireTime);
        token.lastUsedAt().map(TimeProtos::timestamp).ifPresent(message::setLastUseTime);
        token.revokedAt().map(TimeProtos::timestamp).ifPresent(message::setRevokeTime);
        return message.build();
    }

    static TokenRestrictions message(Token.Restrictions restrictions) {
        var message = TokenRestrictions.newBuilder()
                .addAllWorkspaces(restrictions.workspaces())
                .addAllFolders(restrictions.folders())
                .addAllTags(restrictions.tags())
                .setSubmitsPerSecondMax(restrictions.submitsPerSecondMax());
        restrictions.roleMax().map(Role::message).ifPresent(message::setRoleMax);
        return message.build();
    }
}
