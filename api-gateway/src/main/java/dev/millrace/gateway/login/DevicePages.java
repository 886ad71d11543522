package dev.millrace.gateway.login;

import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.QueryParams;
import dev.millrace.gateway.http.ApiRequest;
import dev.millrace.gateway.http.Endpoint;
import dev.millrace.gateway.problem.Problem;
import dev.millrace.gateway.problem.ProblemException;
import dev.millrace.gateway.problem.Problems;
import dev.millrace.gateway.rpc.Scheduler;
import dev.millrace.proto.identity.v1.PrincipalServiceGrpc;
import dev.millrace.proto.identity.v1.WhoAmIRequest;
import dev.millrace.proto.login.v1.ApproveDeviceRequest;
import dev.millrace.proto.login.v1.DenyDeviceRequest;
import dev.millrace.proto.login.v1.Device;
import dev.millrace.proto.login.v1.DeviceServiceGrpc;
import dev.millrace.proto.login.v1.GetDeviceRequest;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * The pages on which a user looks at the login of a program and decides. Looking changes nothing, because links are
 * opened automatically; the decision is a form that only these pages can send.
 */
public final class DevicePages {

    static final String DEVICE = "/device";

    /** Leads from the address of these pages to the root of the gateway. */
    private static final String ROOT = "./";

    private static final String ENTER = """
            <p>Enter the code that the program shows.</p>
            <form method="get" action="device">
              <label for="user_code">Code</label>
              <input id="user_code" name="user_code" class="code" autocomplete="off" autocapitalize="characters"
                spellcheck="false" maxlength="20" placeholder="XXXX-XXXX" required autofocus>
              <button>Continue</button>
            </form>""";

    private final Scheduler scheduler;
    private final Problems problems;

    public DevicePages(Scheduler scheduler, Problems problems) {
        this.scheduler = scheduler;
        this.problems = problems;
    }

    public List<Endpoint> all() {
        return List.of(
                Endpoint.get(DEVICE, Set.of("user_code"), this::look), Endpoint.post(DEVICE, Set.of(), this::decide));
    }

    private CompletionStage<HttpResponse> look(ApiRequest request) {
        var code = request.query("user_code");
        var caller = scheduler.call(
                request.context(), PrincipalServiceGrpc.getWhoAmIMethod(), WhoAmIRequest.getDefaultInstance());
        CompletableFuture<HttpResponse> page = code.isEmpty()
                ? caller.thenApply(_ -> Page.of(HttpStatus.OK, "Log a program in", ENTER))
                : caller.thenCompose(who -> scheduler
                        .call(
                                request.context(),
                                DeviceServiceGrpc.getGetDeviceMethod(),
                                GetDeviceRequest.newBuilder().setUserCode(code).build())
                        .thenApply(found -> Page.of(
                                HttpStatus.OK,
                                "Let this program act as you?",
                                decision(
                                        code,
                                        found.getDevice(),
                                        who.getPrincipal().getName()))));
        return page.exceptionally(failure -> {
            var problem = problems.of(request.context(), failure);
            return problem.status().equals(HttpStatus.UNAUTHORIZED)
                    ? Redirect.to(Redirect.address(ROOT, Redirect.login(address(code))))
                    : failed(problem);
        });
    }

    private static String decision(String code, Device device, String user) {
        var askedAt = Instant.ofEpochSecond(device.getCreateTime().getSeconds()).truncatedTo(ChronoUnit.SECONDS);
        return """
                    <p class="code">%1$s</p>
                    <dl>
                      <dt>Program</dt><dd>%2$s</dd>
                      <dt>Asked from</dt><dd>%3$s</dd>
                      <dt>Asked at</dt><dd>%4$s</dd>
                      <dt>You are</dt><dd>%5$s</dd>
                    </dl>
                    <p>Approve only if you have just started this login yourself, and the program shows the same code. It may then
                      do what you may do here, for at most 30 days. <code>millrace tokens revoke</code> ends it before.</p>
                    <form method="post" action="device">
                      <input type="hidden" name="user_code" value="%1$s">
                      <button name="decision" value="approve">Approve</button>
                      <button name="decision" value="deny" class="secondary">Deny</button>
                    </form>""".formatted(
                        Page.escape(code),
                        Page.escape(device.getClientName()),
                        Page.escape(device.getAddress().isEmpty() ? "an unknown address" : device.getAddress()),
                        askedAt,
                        Page.escape(user));
    }

    private CompletionStage<HttpResponse> decide(ApiRequest request) {
        var form = Form.of(request);
        var code = form.text("user_code");
        CompletableFuture<HttpResponse> page = switch (form.text("decision")) {
            case "approve" ->
                scheduler
                        .call(
                                request.context(),
                                DeviceServiceGrpc.getApproveDeviceMethod(),
                                ApproveDeviceRequest.newBuilder()
                                        .setUserCode(code)
                                        .build())
                        .thenApply(approved -> done("The program is logged in", approved.getDevice()));
            case "deny" ->
                scheduler
                        .call(
                                request.context(),
                                DeviceServiceGrpc.getDenyDeviceMethod(),
                                DenyDeviceRequest.newBuilder().setUserCode(code).build())
                        .thenApply(denied -> done("The login is denied", denied.getDevice()));
            default ->
                throw new ProblemException(Problem.invalidField("decision", "is unknown (expected: approve or deny)"));
        };
        // A form must not lead to another site (form-action), and so not to the login at the provider.
        return page.exceptionally(failure -> failed(problems.of(request.context(), failure)));
    }

    private static HttpResponse done(String title, Device device) {
        return Page.of(
                HttpStatus.OK,
                title,
                "<p>" + Page.escape(device.getClientName()) + " goes on by itself. You can close this page.</p>");
    }

    private static HttpResponse failed(Problem problem) {
        boolean isStranger = problem.status().equals(HttpStatus.UNAUTHORIZED);
        return Page.ofFailure(
                problem.status(),
                "That did not work",
                problem.detail(),
                Redirect.address(ROOT, isStranger ? Redirect.login(DEVICE) : DEVICE),
                isStranger ? "Log in" : "Enter a code");
    }

    private static String address(String code) {
        return code.isEmpty()
                ? DEVICE
                : DEVICE + "?" + QueryParams.of("user_code", code).toQueryString();
    }
}
