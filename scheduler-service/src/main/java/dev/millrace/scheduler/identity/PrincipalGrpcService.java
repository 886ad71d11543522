package dev.millrace.scheduler.identity;

import dev.millrace.proto.identity.v1.CreateServiceAccountRequest;
import dev.millrace.proto.identity.v1.CreateServiceAccountResponse;
import dev.millrace.proto.identity.v1.CreateUserRequest;
import dev.millrace.proto.identity.v1.CreateUserResponse;
import dev.millrace.proto.identity.v1.ListServiceAccountsRequest;
import dev.millrace.proto.identity.v1.ListServiceAccountsResponse;
import dev.millrace.proto.identity.v1.ListUsersRequest;
import dev.millrace.proto.identity.v1.ListUsersResponse;
import dev.millrace.proto.identity.v1.Principal.Kind;
import dev.millrace.proto.identity.v1.PrincipalServiceGrpc;
import dev.millrace.proto.identity.v1.UpdateServiceAccountRequest;
import dev.millrace.proto.identity.v1.UpdateServiceAccountResponse;
import dev.millrace.proto.identity.v1.UpdateUserRequest;
import dev.millrace.proto.identity.v1.UpdateUserResponse;
import dev.millrace.proto.identity.v1.WhoAmIRequest;
import dev.millrace.proto.identity.v1.WhoAmIResponse;
import dev.millrace.scheduler.access.Access;
import dev.millrace.scheduler.access.Role;
import dev.millrace.scheduler.identity.core.Subject;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.rpc.PageRequest;
import dev.millrace.scheduler.rpc.RequestFields;
import dev.millrace.scheduler.rpc.Unary;
import io.grpc.stub.StreamObserver;
import java.util.Optional;
import java.util.UUID;

/** gRPC service for users, service accounts, and the question who the caller is. */
public final class PrincipalGrpcService extends PrincipalServiceGrpc.PrincipalServiceImplBase {
    private final Principals principals;
    private final Roles roles;
    private final Tokens tokens;

    public PrincipalGrpcService(Principals principals, Roles roles, Tokens tokens) {
        this.principals = principals;
        this.roles = roles;
        this.tokens = tokens;
    }

    @Override
    public void whoAmI(WhoAmIRequest request, StreamObserver<WhoAmIResponse> observer) {
        Access access = Access.current();
        WhoAmIResponse.Builder response = WhoAmIResponse.newBuilder()
                .setTokenId(access.caller().credential().map(UUID::toString).orElse(""));
        access.caller()
                .credential()
                .flatMap(tokens::findWorking)
                .ifPresent(token -> response.setRestrictions(IdentityProtos.message(token.restrictions())));
        access.caller()
                .principal()
                .flatMap(principals::find)
                .ifPresentOrElse(
                        principal -> response.setPrincipal(IdentityProtos.message(principal))
                                .addAllRoles(roles.of(principal).stream()
                                        .map(IdentityProtos::message)
                                        .toList()),
                        () -> response.setPrincipal(local(access)).addRoles(ownerBinding(access)));
        Unary.answer(observer, response.build());
    }

    @Override
    public void createUser(CreateUserRequest request, StreamObserver<CreateUserResponse> observer) {
        Principal user = principals.create(IdentityRequestProtos.user(request.getName()), Optional.empty());
        Unary.answer(
                observer,
                CreateUserResponse.newBuilder()
                        .setUser(IdentityProtos.message(user))
                        .build());
    }

    @Override
    public void listUsers(ListUsersRequest request, StreamObserver<ListUsersResponse> observer) {
        var found = principals.list(
                Subject.Kind.USER, Optional.empty(), PageRequest.of(request.getPageSize(), request.getPageToken()));
        Unary.answer(
                observer,
                ListUsersResponse.newBuilder()
                        .addAllUsers(found.map(IdentityProtos::message).items())
                        .setNextPageToken(found.nextToken())
                        .build());
    }

    @Override
    public void updateUser(UpdateUserRequest request, StreamObserver<UpdateUserResponse> observer) {
        Principal user = principals.update(
                IdentityRequestProtos.user(request.getName()),
                Optional.empty(),
                Optional.empty(),
                Optional.of(request.getDisabled()));
        Unary.answer(
                observer,
                UpdateUserResponse.newBuilder()
                        .setUser(IdentityProtos.message(user))
                        .build());
    }

    @Override
    public void createServiceAccount(
            CreateServiceAccountRequest request, StreamObserver<CreateServiceAccountResponse> observer) {
        Workspace workspace = RequestFields.workspace(request.getWorkspace());
        Principal account =
                principals.create(IdentityRequestProtos.serviceAccount(request.getName()), Optional.of(workspace));
        Unary.answer(
                observer,
                CreateServiceAccountResponse.newBuilder()
                        .setServiceAccount(IdentityProtos.message(account))
                        .build());
    }

    @Override
    public void listServiceAccounts(
            ListServiceAccountsRequest request, StreamObserver<ListServiceAccountsResponse> observer) {
        var found = principals.list(
                Subject.Kind.SERVICE_ACCOUNT,
                Optional.of(RequestFields.workspace(request.getWorkspace())),
                PageRequest.of(request.getPageSize(), request.getPageToken()));
        Unary.answer(
                observer,
                ListServiceAccountsResponse.newBuilder()
                        .addAllServiceAccounts(
                                found.map(IdentityProtos::message).items())
                        .setNextPageToken(found.nextToken())
                        .build());
    }

    @Override
    public void updateServiceAccount(
            UpdateServiceAccountRequest request, StreamObserver<UpdateServiceAccountResponse> observer) {
        Principal account = principals.update(
                IdentityRequestProtos.serviceAccount(request.getName()),
                Optional.of(RequestFields.workspace(request.getWorkspace())),
                request.hasMayActAs() ? Optional.of(request.getMayActAs()) : Optional.empty(),
                request.hasDisabled() ? Optional.of(request.getDisabled()) : Optional.empty());
        Unary.answer(
                observer,
                UpdateServiceAccountResponse.newBuilder()
                        .setServiceAccount(IdentityProtos.message(account))
                        .build());
    }

    private static dev.millrace.proto.identity.v1.Principal local(Access access) {
        return dev.millrace.proto.identity.v1.Principal.newBuilder()
                .setKind(Kind.KIND_LOCAL)
                .setName(access.name())
                .setMayActAs(access.caller().mayActAs())
                .build();
    }

    private static dev.millrace.proto.identity.v1.RoleBinding ownerBinding(Access access) {
        return dev.millrace.proto.identity.v1.RoleBinding.newBuilder()
                .setSubject(access.name())
                .setRole(Role.OWNER.message())
                .build();
    }
}
