package dev.millrace.scheduler.identity.login;

import dev.millrace.proto.login.v1.BeginLoginRequest;
import dev.millrace.proto.login.v1.BeginLoginResponse;
import dev.millrace.proto.login.v1.FinishLoginRequest;
import dev.millrace.proto.login.v1.FinishLoginResponse;
import dev.millrace.proto.login.v1.GetLoginOptionsRequest;
import dev.millrace.proto.login.v1.GetLoginOptionsResponse;
import dev.millrace.proto.login.v1.LoginServiceGrpc;
import dev.millrace.scheduler.access.ClientAddress;
import dev.millrace.scheduler.identity.IdentityProtos;
import dev.millrace.scheduler.rpc.TimeProtos;
import dev.millrace.scheduler.rpc.Unary;
import io.grpc.stub.StreamObserver;

/** gRPC service for logins at the provider. */
public final class LoginGrpcService extends LoginServiceGrpc.LoginServiceImplBase {
    private final Logins logins;

    public LoginGrpcService(Logins logins) {
        this.logins = logins;
    }

    @Override
    public void getLoginOptions(GetLoginOptionsRequest request, StreamObserver<GetLoginOptionsResponse> observer) {
        Unary.answer(
                observer,
                GetLoginOptionsResponse.newBuilder()
                        .setIssuer(logins.issuer().orElse(""))
                        .build());
    }

    @Override
    public void beginLogin(BeginLoginRequest request, StreamObserver<BeginLoginResponse> observer) {
        Logins.Begun begun =
                logins.begin(LoginProtos.redirectUri(request), request.getReturnTo(), ClientAddress.current());
        Unary.answer(
                observer,
                BeginLoginResponse.newBuilder()
                        .setAuthorizationUrl(begun.authorizationUrl().toString())
                        .setTransaction(begun.transaction().text())
                        .setExpireTime(TimeProtos.timestamp(begun.expiresAt()))
                        .build());
    }

    @Override
    public void finishLogin(FinishLoginRequest request, StreamObserver<FinishLoginResponse> observer) {
        Logins.Finished finished = logins.finish(LoginProtos.from(request), ClientAddress.current());
        Unary.answer(
                observer,
                FinishLoginResponse.newBuilder()
                        .setSecret(finished.session().secret())
                        .setToken(IdentityProtos.message(finished.session().token()))
                        .setReturnTo(finished.returnTo())
                        .build());
    }
}
