package dev.millrace.scheduler;

import dev.millrace.scheduler.access.AuthenticationInterceptor;
import dev.millrace.scheduler.access.AuthorizationInterceptor;
import dev.millrace.scheduler.access.ClientAddress;
import dev.millrace.scheduler.access.GatewayInterceptor;
import dev.millrace.scheduler.access.LocalCallers;
import dev.millrace.scheduler.access.OpenStreams;
import dev.millrace.scheduler.access.RightsChanged;
import dev.millrace.scheduler.access.RpcChecks;
import dev.millrace.scheduler.access.RunNames;
import dev.millrace.scheduler.access.WorkspaceGate;
import dev.millrace.scheduler.audit.AuditInterceptor;
import dev.millrace.scheduler.audit.AuditTrail;
import dev.millrace.scheduler.config.OidcConfig;
import dev.millrace.scheduler.config.SchedulerConfig;
import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.identity.PrincipalGrpcService;
import dev.millrace.scheduler.identity.Principals;
import dev.millrace.scheduler.identity.ProviderUsers;
import dev.millrace.scheduler.identity.RoleGrpcService;
import dev.millrace.scheduler.identity.Roles;
import dev.millrace.scheduler.identity.TokenCredentials;
import dev.millrace.scheduler.identity.TokenGrpcService;
import dev.millrace.scheduler.identity.Tokens;
import dev.millrace.scheduler.identity.login.DeviceGrpcService;
import dev.millrace.scheduler.identity.login.Devices;
import dev.millrace.scheduler.identity.login.LoginGrpcService;
import dev.millrace.scheduler.identity.login.Logins;
import dev.millrace.scheduler.identity.login.TokenExchange;
import dev.millrace.scheduler.identity.login.TrustGrpcService;
import dev.millrace.scheduler.identity.login.Trusts;
import dev.millrace.scheduler.queue.core.IdSource;
import dev.millrace.scheduler.quota.QuotaBook;
import dev.millrace.scheduler.quota.QuotaInterceptor;
import dev.millrace.scheduler.rpc.CallGuards;
import dev.millrace.scheduler.rpc.LargeListInterceptor;
import dev.millrace.scheduler.runtime.EventBus;
import dev.millrace.scheduler.wake.NotificationsMissed;
import dev.millrace.scheduler.wake.QuotasChangedElsewhere;
import dev.millrace.scheduler.wake.RightsChangedElsewhere;
import io.grpc.BindableService;
import java.util.List;
import java.util.random.RandomGenerator;

/** Decides on each call who makes it and whether it is allowed. */
record AccessControl(CallGuards guards, AuditTrail audit, OpenStreams streams) implements AutoCloseable {
    /** Fails with {@link IllegalStateException} if a method of the services has no rule that says who may call it. */
    static AccessControl start(
            SchedulerConfig config,
            Database database,
            EventBus bus,
            IdSource ids,
            List<BindableService> services,
            RunNames runs,
            WorkspaceGate workspaces,
            QuotaBook quotas) {
        RpcChecks checks = new RpcChecks(services, runs, workspaces);
        TokenCredentials credentials = new TokenCredentials(database);
        OpenStreams streams = OpenStreams.start(credentials);
        AuditTrail audit = AuditTrail.start(database, ids, services, workspaces);
        Runnable changed = () -> {
            credentials.forgetAll();
            streams.wake();
        };
        bus.subscribe(RightsChanged.class, _ -> changed.run());
        bus.subscribe(RightsChangedElsewhere.class, _ -> changed.run());
        bus.subscribe(NotificationsMissed.class, _ -> changed.run());
        bus.subscribe(QuotasChangedElsewhere.class, _ -> quotas.wake());
        bus.subscribe(RightsChanged.class, _ -> quotas.wake());
        bus.subscribe(RightsChangedElsewhere.class, _ -> quotas.wake());
        bus.subscribe(NotificationsMissed.class, _ -> quotas.wake());
        LocalCallers local =
                LocalCallers.of(config.grpc().host(), config.access().isTokenRequired());
        AuthenticationInterceptor authentication =
                new AuthenticationInterceptor(checks, credentials, local, streams, audit);
        return new AccessControl(
                new CallGuards(
                        new GatewayInterceptor(credentials, authentication),
                        authentication::isOfStranger,
                        List.of(
                                new LargeListInterceptor(),
                                new QuotaInterceptor(quotas, services),
                                new AuthorizationInterceptor(checks),
                                new AuditInterceptor(audit))),
                audit,
                streams);
    }

    /**
     * The services for principals, roles and tokens.
     *
     * @param random unpredictable, because tokens come from it
     */
    static List<BindableService> services(
            OidcConfig oidc, Database database, EventBus bus, IdSource ids, RandomGenerator random) {
        Principals principals = new Principals(database, bus, ids);
        Roles roles = new Roles(database, bus);
        Tokens tokens = new Tokens(database, bus, ids, random);
        return List.of(
                new PrincipalGrpcService(principals, roles, tokens),
                new RoleGrpcService(roles),
                new TokenGrpcService(tokens, principals),
                ClientAddress.shownTo(new LoginGrpcService(
                        new Logins(oidc.provider(), database, new ProviderUsers(database, bus, ids), tokens, random))),
                ClientAddress.shownTo(new DeviceGrpcService(new Devices(database, tokens, random))),
                ClientAddress.shownTo(new TrustGrpcService(
                        new Trusts(oidc.exchangeIssuers(), database, principals),
                        new TokenExchange(oidc.exchangeIssuers(), database, principals, tokens))));
    }

    @Override
    public void close() {
        streams.close();
        audit.close();
    }
}
