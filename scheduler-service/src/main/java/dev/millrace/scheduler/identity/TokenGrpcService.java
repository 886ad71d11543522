package dev.millrace.scheduler.identity;

import dev.millrace.proto.identity.v1.CreateServiceAccountTokenRequest;
import dev.millrace.proto.identity.v1.CreateServiceAccountTokenResponse;
import dev.millrace.proto.identity.v1.CreateSessionRequest;
import dev.millrace.proto.identity.v1.CreateSessionResponse;
import dev.millrace.proto.identity.v1.CreateSharedTokenRequest;
import dev.millrace.proto.identity.v1.CreateSharedTokenResponse;
import dev.millrace.proto.identity.v1.CreateTokenRequest;
import dev.millrace.proto.identity.v1.CreateTokenResponse;
import dev.millrace.proto.identity.v1.CreateUserTokenRequest;
import dev.millrace.proto.identity.v1.CreateUserTokenResponse;
import dev.millrace.proto.identity.v1.CreateWorkerTokenRequest;
import dev.millrace.proto.identity.v1.CreateWorkerTokenResponse;
import dev.millrace.proto.identity.v1.ListTokensRequest;
import dev.millrace.proto.identity.v1.ListTokensResponse;
import dev.millrace.proto.identity.v1.RevokeTokenRequest;
import dev.millrace.proto.identity.v1.RevokeTokenResponse;
import dev.millrace.proto.identity.v1.TokenServiceGrpc;
import dev.millrace.scheduler.access.Access;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.identity.core.Subject;
import dev.millrace.scheduler.identity.core.TokenKind;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.rpc.PageRequest;
import dev.millrace.scheduler.rpc.RequestFields;
import dev.millrace.scheduler.rpc.Unary;
import io.grpc.stub.StreamObserver;
import java.util.List;
import java.util.Optional;

/** gRPC service for tokens. */
public final class TokenGrpcService extends TokenServiceGrpc.TokenServiceImplBase {
    private final Tokens tokens;
    private final Principals principals;

    public TokenGrpcService(Tokens tokens, Principals principals) {
        this.tokens = tokens;
        this.principals = principals;
    }

    @Override
    public void createToken(CreateTokenRequest request, StreamObserver<CreateTokenResponse> observer) {
        Tokens.Issued issued = tokens.ofCaller(Access.current(), IdentityRequestProtos.wish(request));
        Unary.answer(
                observer,
                CreateTokenResponse.newBuilder()
                        .setSecret(issued.secret())
                        .setToken(IdentityProtos.message(issued.token()))
                        .build());
    }

    @Override
    public void createServiceAccountToken(
            CreateServiceAccountTokenRequest request, StreamObserver<CreateServiceAccountTokenResponse> observer) {
        Subject account = IdentityRequestProtos.named(
                Subject.Kind.SERVICE_ACCOUNT, "service_account", request.getServiceAccount());
        Tokens.Wish wish = IdentityRequestProtos.wish(request.getToken());
        Workspace workspace = RequestFields.workspace(request.getWorkspace());
        Tokens.Issued issued = tokens.of(principals.find(account, Optional.of(workspace)), wish, Access.current());
        Unary.answer(
                observer,
                CreateServiceAccountTokenResponse.newBuilder()
                        .setSecret(issued.secret())
                        .setToken(IdentityProtos.message(issued.token()))
                        .build());
    }

    @Override
    public void createUserToken(CreateUserTokenRequest request, StreamObserver<CreateUserTokenResponse> observer) {
        Subject user = IdentityRequestProtos.named(Subject.Kind.USER, "user", request.getUser());
        Tokens.Wish wish = IdentityRequestProtos.wish(request.getToken());
        Tokens.Issued issued = tokens.of(principals.find(user, Optional.empty()), wish, Access.current());
        Unary.answer(
                observer,
                CreateUserTokenResponse.newBuilder()
                        .setSecret(issued.secret())
                        .setToken(IdentityProtos.message(issued.token()))
                        .build());
    }

    @Override
    public void createWorkerToken(
            CreateWorkerTokenRequest request, StreamObserver<CreateWorkerTokenResponse> observer) {
        Workspace workspace = RequestFields.workspace(request.getWorkspace());
        Tokens.Wish wish = IdentityRequestProtos.wish(
                request.getName(),
                request.hasValidFor(),
                request.getValidFor(),
                List.of(workspace.name()),
                request.getTagsList());
        Tokens.Issued issued = tokens.ofProgram(TokenKind.WORKER, wish, Access.current());
        Unary.answer(
                observer,
                CreateWorkerTokenResponse.newBuilder()
                        .setSecret(issued.secret())
                        .setToken(IdentityProtos.message(issued.token()))
                        .build());
    }

    @Override
    public void createSharedToken(
            CreateSharedTokenRequest request, StreamObserver<CreateSharedTokenResponse> observer) {
        TokenKind kind = switch (request.getKind()) {
            case KIND_WORKER -> TokenKind.WORKER;
            case KIND_GATEWAY -> TokenKind.GATEWAY;
            case KIND_UNSPECIFIED, KIND_USER, KIND_SERVICE_ACCOUNT, KIND_SESSION, UNRECOGNIZED ->
                throw MillraceException.invalid("kind", request.getKind() + " (expected: KIND_WORKER or KIND_GATEWAY)");
        };
        Tokens.Wish wish = IdentityRequestProtos.wish(
                request.getName(),
                request.hasValidFor(),
                request.getValidFor(),
                request.getWorkspacesList(),
                request.getTagsList());
        Tokens.Issued issued = tokens.ofProgram(kind, wish, Access.current());
        Unary.answer(
                observer,
                CreateSharedTokenResponse.newBuilder()
                        .setSecret(issued.secret())
                        .setToken(IdentityProtos.message(issued.token()))
                        .build());
    }

    @Override
    public void createSession(CreateSessionRequest request, StreamObserver<CreateSessionResponse> observer) {
        Tokens.Issued issued = tokens.ofBrowser(Access.current());
        Unary.answer(
                observer,
                CreateSessionResponse.newBuilder()
                        .setSecret(issued.secret())
                        .setToken(IdentityProtos.message(issued.token()))
                        .build());
    }

    @Override
    public void listTokens(ListTokensRequest request, StreamObserver<ListTokensResponse> observer) {
        PageRequest page = PageRequest.of(request.getPageSize(), request.getPageToken());
        Access access = Access.current();
        PageRequest.Page<Token> found = request.getAll()
                ? tokens.listAll(access, page)
                : request.getWorkspace().isEmpty()
                        ? tokens.listOwn(access, page)
                        : tokens.listOf(RequestFields.workspace(request.getWorkspace()), access, page);
        Unary.answer(
                observer,
                ListTokensResponse.newBuilder()
                        .addAllTokens(found.map(IdentityProtos::message).items())
                        .setNextPageToken(found.nextToken())
                        .build());
    }

    @Override
    public void revokeToken(RevokeTokenRequest request, StreamObserver<RevokeTokenResponse> observer) {
        Tokens.Revoked revoked = tokens.revoke(
                IdentityRequestProtos.tokenId(request.getId()),
                IdentityRequestProtos.withIssued(request),
                Access.current());
        Unary.answer(
                observer,
                RevokeTokenResponse.newBuilder()
                        .setToken(IdentityProtos.message(revoked.token()))
                        .setIssuedRevoked(revoked.issued())
                        .build());
    }
}
