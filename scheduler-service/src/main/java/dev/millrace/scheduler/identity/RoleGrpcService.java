package dev.millrace.scheduler.identity;

import dev.millrace.proto.identity.v1.GrantOwnerRequest;
import dev.millrace.proto.identity.v1.GrantOwnerResponse;
import dev.millrace.proto.identity.v1.GrantRoleRequest;
import dev.millrace.proto.identity.v1.GrantRoleResponse;
import dev.millrace.proto.identity.v1.ListOwnersRequest;
import dev.millrace.proto.identity.v1.ListOwnersResponse;
import dev.millrace.proto.identity.v1.ListRolesRequest;
import dev.millrace.proto.identity.v1.ListRolesResponse;
import dev.millrace.proto.identity.v1.RevokeOwnerRequest;
import dev.millrace.proto.identity.v1.RevokeOwnerResponse;
import dev.millrace.proto.identity.v1.RevokeRoleRequest;
import dev.millrace.proto.identity.v1.RevokeRoleResponse;
import dev.millrace.proto.identity.v1.RoleServiceGrpc;
import dev.millrace.scheduler.access.Access;
import dev.millrace.scheduler.access.Role;
import dev.millrace.scheduler.error.Violations;
import dev.millrace.scheduler.identity.core.Subject;
import dev.millrace.scheduler.queue.core.Folder;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.rpc.PageRequest;
import dev.millrace.scheduler.rpc.RequestFields;
import dev.millrace.scheduler.rpc.Unary;
import io.grpc.stub.StreamObserver;
import java.util.Optional;

/** gRPC service for roles. */
public final class RoleGrpcService extends RoleServiceGrpc.RoleServiceImplBase {
    private final Roles roles;

    public RoleGrpcService(Roles roles) {
        this.roles = roles;
    }

    @Override
    public void grantRole(GrantRoleRequest request, StreamObserver<GrantRoleResponse> observer) {
        RoleBinding granted = roles.grant(binding(request), Access.current());
        Unary.answer(
                observer,
                GrantRoleResponse.newBuilder()
                        .setRole(IdentityProtos.message(granted))
                        .build());
    }

    @Override
    public void revokeRole(RevokeRoleRequest request, StreamObserver<RevokeRoleResponse> observer) {
        Violations violations = new Violations();
        Optional<Workspace> workspace = Optional.of(RequestFields.workspace(request.getWorkspace(), violations));
        String folder = IdentityRequestProtos.folder(request.getFolder(), violations);
        Subject subject = IdentityRequestProtos.subject(request.getSubject(), violations);
        violations.throwIfAny();
        Unary.answer(
                observer,
                RevokeRoleResponse.newBuilder()
                        .setRole(IdentityProtos.message(roles.revoke(workspace, folder, subject)))
                        .build());
    }

    @Override
    public void listRoles(ListRolesRequest request, StreamObserver<ListRolesResponse> observer) {
        var found = roles.list(
                Optional.of(RequestFields.workspace(request.getWorkspace())),
                PageRequest.of(request.getPageSize(), request.getPageToken()));
        Unary.answer(
                observer,
                ListRolesResponse.newBuilder()
                        .addAllRoles(found.map(IdentityProtos::message).items())
                        .setNextPageToken(found.nextToken())
                        .build());
    }

    @Override
    public void grantOwner(GrantOwnerRequest request, StreamObserver<GrantOwnerResponse> observer) {
        RoleBinding owner = RoleBinding.ofOwner(owner(request.getSubject()));
        Unary.answer(
                observer,
                GrantOwnerResponse.newBuilder()
                        .setRole(IdentityProtos.message(roles.grant(owner, Access.current())))
                        .build());
    }

    @Override
    public void revokeOwner(RevokeOwnerRequest request, StreamObserver<RevokeOwnerResponse> observer) {
        RoleBinding revoked = roles.revoke(Optional.empty(), Folder.NONE, owner(request.getSubject()));
        Unary.answer(
                observer,
                RevokeOwnerResponse.newBuilder()
                        .setRole(IdentityProtos.message(revoked))
                        .build());
    }

    @Override
    public void listOwners(ListOwnersRequest request, StreamObserver<ListOwnersResponse> observer) {
        var found = roles.list(Optional.empty(), PageRequest.of(request.getPageSize(), request.getPageToken()));
        Unary.answer(
                observer,
                ListOwnersResponse.newBuilder()
                        .addAllOwners(found.map(IdentityProtos::message).items())
                        .setNextPageToken(found.nextToken())
                        .build());
    }

    private static RoleBinding binding(GrantRoleRequest request) {
        Violations violations = new Violations();
        Optional<Workspace> workspace = Optional.of(RequestFields.workspace(request.getWorkspace(), violations));
        String folder = IdentityRequestProtos.folder(request.getFolder(), violations);
        Subject subject = IdentityRequestProtos.subject(request.getSubject(), violations);
        Optional<Role> role = Role.of(request.getRole()).filter(given -> given != Role.OWNER);
        violations.require(
                role.isPresent(), "role", request.getRole() + " (expected: viewer, runner, developer or admin)");
        violations.require(
                folder.isEmpty() || role.filter(given -> given == Role.ADMIN).isEmpty(),
                "folder",
                "is set, but an admin is one of the whole workspace: leave it out, or grant the role developer");
        violations.throwIfAny();
        return new RoleBinding(workspace, folder, subject, role.orElseThrow());
    }

    private static Subject owner(String text) {
        Violations violations = new Violations();
        Subject subject = IdentityRequestProtos.subject(text, violations);
        violations.require(
                subject.kind() != Subject.Kind.SERVICE_ACCOUNT,
                "subject",
                "is a service account, which belongs to a workspace (expected: user:NAME or group:NAME)");
        violations.throwIfAny();
        return subject;
    }
}
