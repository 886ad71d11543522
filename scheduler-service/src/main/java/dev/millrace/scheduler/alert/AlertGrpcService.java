package dev.millrace.scheduler.alert;

import dev.millrace.proto.alert.v1.AlertServiceGrpc;
import dev.millrace.proto.alert.v1.DeleteAlertRequest;
import dev.millrace.proto.alert.v1.DeleteAlertResponse;
import dev.millrace.proto.alert.v1.GetAlertRequest;
import dev.millrace.proto.alert.v1.GetAlertResponse;
import dev.millrace.proto.alert.v1.ListAlertsRequest;
import dev.millrace.proto.alert.v1.ListAlertsResponse;
import dev.millrace.proto.alert.v1.ListDeliveriesRequest;
import dev.millrace.proto.alert.v1.ListDeliveriesResponse;
import dev.millrace.proto.alert.v1.PauseAlertRequest;
import dev.millrace.proto.alert.v1.PauseAlertResponse;
import dev.millrace.proto.alert.v1.PutAlertRequest;
import dev.millrace.proto.alert.v1.PutAlertResponse;
import dev.millrace.proto.alert.v1.ReplayDeliveriesRequest;
import dev.millrace.proto.alert.v1.ReplayDeliveriesResponse;
import dev.millrace.proto.alert.v1.ResumeAlertRequest;
import dev.millrace.proto.alert.v1.ResumeAlertResponse;
import dev.millrace.scheduler.access.Access;
import dev.millrace.scheduler.alert.core.Alert;
import dev.millrace.scheduler.error.ErrorCode;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.rpc.PageRequest;
import dev.millrace.scheduler.rpc.RequestFields;
import dev.millrace.scheduler.rpc.Unary;
import io.grpc.stub.StreamObserver;

/** gRPC service for alerts. */
public final class AlertGrpcService extends AlertServiceGrpc.AlertServiceImplBase {
    private final Alerts alerts;

    AlertGrpcService(Alerts alerts) {
        this.alerts = alerts;
    }

    @Override
    public void putAlert(PutAlertRequest request, StreamObserver<PutAlertResponse> observer) {
        Alert wanted = AlertProtos.alert(
                request.getWorkspace(), request.getAlert(), Access.current().name());
        try {
            Alert put = alerts.put(wanted);
            Unary.answer(
                    observer,
                    PutAlertResponse.newBuilder()
                            .setAlert(AlertProtos.message(put))
                            .build());
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            throw new MillraceException(ErrorCode.SHUTTING_DOWN, "The scheduler is about to stop: repeat the call.");
        }
    }

    @Override
    public void getAlert(GetAlertRequest request, StreamObserver<GetAlertResponse> observer) {
        Alert found = alerts.get(RequestFields.workspace(request.getWorkspace()), request.getName());
        Unary.answer(
                observer,
                GetAlertResponse.newBuilder()
                        .setAlert(AlertProtos.message(found))
                        .build());
    }

    @Override
    public void listAlerts(ListAlertsRequest request, StreamObserver<ListAlertsResponse> observer) {
        var found = alerts.list(
                RequestFields.workspace(request.getWorkspace()),
                PageRequest.of(request.getPageSize(), request.getPageToken()));
        Unary.answer(
                observer,
                ListAlertsResponse.newBuilder()
                        .addAllAlerts(found.map(AlertProtos::message).items())
                        .setNextPageToken(found.nextToken())
                        .build());
    }

    @Override
    public void pauseAlert(PauseAlertRequest request, StreamObserver<PauseAlertResponse> observer) {
        Alert paused = alerts.pause(RequestFields.workspace(request.getWorkspace()), request.getName(), true);
        Unary.answer(
                observer,
                PauseAlertResponse.newBuilder()
                        .setAlert(AlertProtos.message(paused))
                        .build());
    }

    @Override
    public void resumeAlert(ResumeAlertRequest request, StreamObserver<ResumeAlertResponse> observer) {
        Alert resumed = alerts.pause(RequestFields.workspace(request.getWorkspace()), request.getName(), false);
        Unary.answer(
                observer,
                ResumeAlertResponse.newBuilder()
                        .setAlert(AlertProtos.message(resumed))
                        .build());
    }

    @Override
    public void deleteAlert(DeleteAlertRequest request, StreamObserver<DeleteAlertResponse> observer) {
        alerts.delete(RequestFields.workspace(request.getWorkspace()), request.getName());
        Unary.answer(observer, DeleteAlertResponse.getDefaultInstance());
    }

    @Override
    public void listDeliveries(ListDeliveriesRequest request, StreamObserver<ListDeliveriesResponse> observer) {
        var found = alerts.deliveries(
                RequestFields.workspace(request.getWorkspace()),
                request.getName(),
                AlertProtos.state(request.getState()),
                PageRequest.of(request.getPageSize(), request.getPageToken()));
        Unary.answer(
                observer,
                ListDeliveriesResponse.newBuilder()
                        .addAllDeliveries(found.map(AlertProtos::message).items())
                        .setNextPageToken(found.nextToken())
                        .build());
    }

    @Override
    public void replayDeliveries(ReplayDeliveriesRequest request, StreamObserver<ReplayDeliveriesResponse> observer) {
        int replayed = alerts.replay(
                RequestFields.workspace(request.getWorkspace()),
                request.getName(),
                AlertProtos.deliveryId(request.getDeliveryId()));
        Unary.answer(
                observer,
                ReplayDeliveriesResponse.newBuilder().setReplayed(replayed).build());
    }
}
