package dev.millrace.scheduler.identity.login;

import dev.millrace.proto.login.v1.CreateTrustRequest;
import dev.millrace.proto.login.v1.CreateTrustResponse;
import dev.millrace.proto.login.v1.DeleteTrustRequest;
import dev.millrace.proto.login.v1.DeleteTrustResponse;
import dev.millrace.proto.login.v1.ExchangeTokenRequest;
import dev.millrace.proto.login.v1.ExchangeTokenResponse;
import dev.millrace.proto.login.v1.ListTrustsRequest;
import dev.millrace.proto.login.v1.ListTrustsResponse;
import dev.millrace.proto.login.v1.TrustServiceGrpc;
import dev.millrace.scheduler.access.Access;
import dev.millrace.scheduler.access.ClientAddress;
import dev.millrace.scheduler.identity.IdentityProtos;
import dev.millrace.scheduler.identity.Tokens;
import dev.millrace.scheduler.rpc.PageRequest;
import dev.millrace.scheduler.rpc.RequestFields;
import dev.millrace.scheduler.rpc.Unary;
import io.grpc.stub.StreamObserver;

/** gRPC service for trusts, and for the exchange of JWTs by them. */
public final class TrustGrpcService extends TrustServiceGrpc.TrustServiceImplBase {
    private final Trusts trusts;
    private final TokenExchange exchange;

    public TrustGrpcService(Trusts trusts, TokenExchange exchange) {
        this.trusts = trusts;
        this.exchange = exchange;
    }

    @Override
    public void createTrust(CreateTrustRequest request, StreamObserver<CreateTrustResponse> observer) {
        Trust trust = trusts.create(LoginProtos.trust(request, Access.current().name()));
        Unary.answer(
                observer,
                CreateTrustResponse.newBuilder()
                        .setTrust(LoginProtos.message(trust))
                        .build());
    }

    @Override
    public void listTrusts(ListTrustsRequest request, StreamObserver<ListTrustsResponse> observer) {
        var found = trusts.list(
                RequestFields.workspace(request.getWorkspace()),
                PageRequest.of(request.getPageSize(), request.getPageToken()));
        Unary.answer(
                observer,
                ListTrustsResponse.newBuilder()
                        .addAllTrusts(found.map(LoginProtos::message).items())
                        .setNextPageToken(found.nextToken())
                        .build());
    }

    @Override
    public void deleteTrust(DeleteTrustRequest request, StreamObserver<DeleteTrustResponse> observer) {
        trusts.delete(RequestFields.workspace(request.getWorkspace()), request.getName());
        Unary.answer(observer, DeleteTrustResponse.getDefaultInstance());
    }

    @Override
    public void exchangeToken(ExchangeTokenRequest request, StreamObserver<ExchangeTokenResponse> observer) {
        Tokens.Issued issued = exchange.exchange(LoginProtos.exchange(request, ClientAddress.current()));
        Unary.answer(
                observer,
                ExchangeTokenResponse.newBuilder()
                        .setSecret(issued.secret())
                        .setToken(IdentityProtos.message(issued.token()))
                        .build());
    }
}
