package dev.millrace.gateway.login;

import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.QueryParams;
import dev.millrace.gateway.access.Site;
import dev.millrace.gateway.http.Answers;
import dev.millrace.gateway.http.ApiRequest;
import dev.millrace.gateway.http.Endpoint;
import dev.millrace.gateway.json.JsonFields;
import dev.millrace.gateway.json.JsonWriter;
import dev.millrace.gateway.rpc.Scheduler;
import dev.millrace.proto.login.v1.ApproveDeviceRequest;
import dev.millrace.proto.login.v1.AuthorizeDeviceRequest;
import dev.millrace.proto.login.v1.AuthorizeDeviceResponse;
import dev.millrace.proto.login.v1.DenyDeviceRequest;
import dev.millrace.proto.login.v1.Device;
import dev.millrace.proto.login.v1.DeviceServiceGrpc;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/** Endpoints by which programs begin a login (RFC 8628), and by which users decide on it. */
public final class DeviceEndpoints {

    private static final String AUTHORIZATIONS = "/api/v1/device-authorizations";
    private static final String NAME_DEFAULT = "a program without a name";

    private static final JsonFields<StringBuilder> USER_CODE =
            new JsonFields<StringBuilder>().required("user_code", (json, code) -> code.append(json.text()));

    private final Scheduler scheduler;
    private final Site site;

    public DeviceEndpoints(Scheduler scheduler, Site site) {
        this.scheduler = scheduler;
        this.site = site;
    }

    public List<Endpoint> all() {
        return List.of(
                Endpoint.post(AUTHORIZATIONS, Set.of(), this::begin).shared(),
                Endpoint.post(AUTHORIZATIONS + ":approve", Set.of(), this::approve)
                        .shared(),
                Endpoint.post(AUTHORIZATIONS + ":deny", Set.of(), this::deny).shared());
    }

    private CompletionStage<HttpResponse> begin(ApiRequest request) {
        var form = Form.of(request);
        var begin =
                AuthorizeDeviceRequest.newBuilder().setClientName(name(form)).build();
        var page = site.address(request.context()) + DevicePages.DEVICE;
        return scheduler
                .callAs(Optional.empty(), request.context(), DeviceServiceGrpc.getAuthorizeDeviceMethod(), begin)
                .thenApply(begun -> Answers.json(json -> write(json, begun, page)));
    }

    /** What the program calls itself; OAuth clients without a name for people have at least an id. */
    private static String name(Form form) {
        var name = form.text("client_name").isBlank() ? form.text("client_id") : form.text("client_name");
        return name.isBlank() ? NAME_DEFAULT : name;
    }

    private static void write(JsonWriter json, AuthorizeDeviceResponse begun, String page) {
        json.text("device_code", begun.getDeviceCode());
        json.text("user_code", begun.getUserCode());
        json.text("verification_uri", page);
        json.text(
                "verification_uri_complete",
                page + "?" + QueryParams.of("user_code", begun.getUserCode()).toQueryString());
        json.integer("expires_in", begun.getExpiresIn().getSeconds());
        json.integer("interval", begun.getInterval().getSeconds());
    }

    private CompletionStage<HttpResponse> approve(ApiRequest request) {
        var approve = ApproveDeviceRequest.newBuilder()
                .setUserCode(request.json(USER_CODE, new StringBuilder()).toString())
                .build();
        return scheduler
                .call(request.context(), DeviceServiceGrpc.getApproveDeviceMethod(), approve)
                .thenApply(approved -> device(approved.getDevice()));
    }

    private CompletionStage<HttpResponse> deny(ApiRequest request) {
        var deny = DenyDeviceRequest.newBuilder()
                .setUserCode(request.json(USER_CODE, new StringBuilder()).toString())
                .build();
        return scheduler
                .call(request.context(), DeviceServiceGrpc.getDenyDeviceMethod(), deny)
                .thenApply(denied -> device(denied.getDevice()));
    }

    private static HttpResponse device(Device device) {
        return Answers.json(json -> {
            json.text("client_name", device.getClientName());
            json.text("address", device.getAddress());
            json.time("create_time", device.getCreateTime());
            json.time("expire_time", device.getExpireTime());
        });
    }
}
