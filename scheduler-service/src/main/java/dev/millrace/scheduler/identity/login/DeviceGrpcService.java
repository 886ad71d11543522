package dev.millrace.scheduler.identity.login;

import dev.millrace.proto.login.v1.ApproveDeviceRequest;
import dev.millrace.proto.login.v1.ApproveDeviceResponse;
import dev.millrace.proto.login.v1.AuthorizeDeviceRequest;
import dev.millrace.proto.login.v1.AuthorizeDeviceResponse;
import dev.millrace.proto.login.v1.DenyDeviceRequest;
import dev.millrace.proto.login.v1.DenyDeviceResponse;
import dev.millrace.proto.login.v1.DeviceServiceGrpc;
import dev.millrace.proto.login.v1.GetDeviceRequest;
import dev.millrace.proto.login.v1.GetDeviceResponse;
import dev.millrace.proto.login.v1.PollDeviceRequest;
import dev.millrace.proto.login.v1.PollDeviceResponse;
import dev.millrace.scheduler.access.Access;
import dev.millrace.scheduler.access.ClientAddress;
import dev.millrace.scheduler.identity.IdentityProtos;
import dev.millrace.scheduler.identity.login.core.DevicePoll;
import dev.millrace.scheduler.rpc.TimeProtos;
import dev.millrace.scheduler.rpc.Unary;
import io.grpc.stub.StreamObserver;

/** gRPC service for programs without a browser, and for the users who approve their logins. */
public final class DeviceGrpcService extends DeviceServiceGrpc.DeviceServiceImplBase {
    private final Devices devices;

    public DeviceGrpcService(Devices devices) {
        this.devices = devices;
    }

    @Override
    public void authorizeDevice(AuthorizeDeviceRequest request, StreamObserver<AuthorizeDeviceResponse> observer) {
        Devices.Begun begun = devices.begin(LoginProtos.clientName(request.getClientName()), ClientAddress.current());
        Unary.answer(
                observer,
                AuthorizeDeviceResponse.newBuilder()
                        .setDeviceCode(begun.deviceCode().text())
                        .setUserCode(begun.userCode().shown())
                        .setExpiresIn(TimeProtos.duration(Devices.VALID_FOR))
                        .setInterval(TimeProtos.duration(DevicePoll.INTERVAL))
                        .build());
    }

    @Override
    public void getDevice(GetDeviceRequest request, StreamObserver<GetDeviceResponse> observer) {
        Device device = devices.find(request.getUserCode(), Access.current());
        Unary.answer(
                observer,
                GetDeviceResponse.newBuilder()
                        .setDevice(LoginProtos.message(device))
                        .build());
    }

    @Override
    public void approveDevice(ApproveDeviceRequest request, StreamObserver<ApproveDeviceResponse> observer) {
        Device device = devices.approve(request.getUserCode(), Access.current());
        Unary.answer(
                observer,
                ApproveDeviceResponse.newBuilder()
                        .setDevice(LoginProtos.message(device))
                        .build());
    }

    @Override
    public void denyDevice(DenyDeviceRequest request, StreamObserver<DenyDeviceResponse> observer) {
        Device device = devices.deny(request.getUserCode(), Access.current());
        Unary.answer(
                observer,
                DenyDeviceResponse.newBuilder()
                        .setDevice(LoginProtos.message(device))
                        .build());
    }

    @Override
    public void pollDevice(PollDeviceRequest request, StreamObserver<PollDeviceResponse> observer) {
        Devices.Answer answer = devices.poll(LoginProtos.deviceCode(request.getDeviceCode()), ClientAddress.current());
        PollDeviceResponse.Builder response =
                PollDeviceResponse.newBuilder().setState(LoginProtos.message(answer.poll()));
        answer.token()
                .ifPresent(
                        issued -> response.setSecret(issued.secret()).setToken(IdentityProtos.message(issued.token())));
        Unary.answer(observer, response.build());
    }
}
