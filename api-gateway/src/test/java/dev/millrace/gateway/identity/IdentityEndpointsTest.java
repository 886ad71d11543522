package dev.millrace.gateway.identity;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Timestamp;
import com.google.rpc.Code;
import dev.millrace.gateway.testing.GatewayTest;
import dev.millrace.gateway.testing.Refusals;
import dev.millrace.proto.access.v1.Role;
import dev.millrace.proto.identity.v1.CreateServiceAccountResponse;
import dev.millrace.proto.identity.v1.CreateUserRequest;
import dev.millrace.proto.identity.v1.CreateUserResponse;
import dev.millrace.proto.identity.v1.GrantOwnerRequest;
import dev.millrace.proto.identity.v1.GrantOwnerResponse;
import dev.millrace.proto.identity.v1.GrantRoleRequest;
import dev.millrace.proto.identity.v1.GrantRoleResponse;
import dev.millrace.proto.identity.v1.ListOwnersResponse;
import dev.millrace.proto.identity.v1.ListRolesResponse;
import dev.millrace.proto.identity.v1.ListServiceAccountsResponse;
import dev.millrace.proto.identity.v1.ListUsersRequest;
import dev.millrace.proto.identity.v1.ListUsersResponse;
import dev.millrace.proto.identity.v1.Principal;
import dev.millrace.proto.identity.v1.PrincipalServiceGrpc;
import dev.millrace.proto.identity.v1.RevokeOwnerRequest;
import dev.millrace.proto.identity.v1.RevokeOwnerResponse;
import dev.millrace.proto.identity.v1.RevokeRoleRequest;
import dev.millrace.proto.identity.v1.RevokeRoleResponse;
import dev.millrace.proto.identity.v1.RoleBinding;
import dev.millrace.proto.identity.v1.RoleServiceGrpc;
import dev.millrace.proto.identity.v1.TokenRestrictions;
import dev.millrace.proto.identity.v1.UpdateServiceAccountRequest;
import dev.millrace.proto.identity.v1.UpdateServiceAccountResponse;
import dev.millrace.proto.identity.v1.UpdateUserRequest;
import dev.millrace.proto.identity.v1.UpdateUserResponse;
import dev.millrace.proto.identity.v1.WhoAmIResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IdentityEndpointsTest extends GatewayTest {

    private static final Principal ADA = Principal.newBuilder()
            .setId("019a9f3e-7c1d-7d2a-8b3c-5f2e9d1c0a41")
            .setKind(Principal.Kind.KIND_USER)
            .setName("ada")
            .addGroups("ops")
            .setCreateTime(Timestamp.newBuilder().setSeconds(1_800_000_000))
            .build();
    private static final Principal CI = Principal.newBuilder()
            .setKind(Principal.Kind.KIND_SERVICE_ACCOUNT)
            .setName("ci")
            .setWorkspace("team-a")
            .setMayActAs(true)
            .setDisableTime(Timestamp.newBuilder().setSeconds(1_800_000_000))
            .build();
    private static final RoleBinding RUNNER = RoleBinding.newBuilder()
            .setWorkspace("team-a")
            .setFolder("reports")
            .setSubject("group:analysts")
            .setRole(Role.ROLE_RUNNER)
            .build();
    private static final RoleBinding OWNER = RoleBinding.newBuilder()
            .setSubject("user:ada")
            .setRole(Role.ROLE_OWNER)
            .build();

    @Test
    void tellsWhoCalls() {
        scheduler.canned.answer(
                PrincipalServiceGrpc.getWhoAmIMethod(),
                WhoAmIResponse.newBuilder()
                        .setPrincipal(ADA)
                        .setTokenId("t1")
                        .addRoles(OWNER)
                        .setRestrictions(TokenRestrictions.newBuilder().addFolders("shop"))
                        .build());

        var caller = json(get("/api/v1/whoami"));

        assertThat(caller.path("principal").path("kind").asText()).isEqualTo("user");
        assertThat(caller.path("principal").path("groups").path(0).asText()).isEqualTo("ops");
        assertThat(caller.path("principal").has("disable_time")).isFalse();
        assertThat(caller.path("token_id").asText()).isEqualTo("t1");
        assertThat(caller.path("roles").path(0).path("role").asText()).isEqualTo("owner");
        assertThat(caller.path("roles").path(0).has("workspace")).isFalse();
        assertThat(caller.path("restrictions").path("folders").path(0).asText()).isEqualTo("shop");
    }

    @Test
    void createsListsAndDisablesUsers() {
        scheduler.canned.answer(
                PrincipalServiceGrpc.getCreateUserMethod(),
                CreateUserResponse.newBuilder().setUser(ADA).build());
        scheduler.canned.answer(
                PrincipalServiceGrpc.getListUsersMethod(),
                ListUsersResponse.newBuilder()
                        .addUsers(ADA)
                        .setNextPageToken("next")
                        .build());
        scheduler.canned.answer(
                PrincipalServiceGrpc.getUpdateUserMethod(),
                UpdateUserResponse.newBuilder().setUser(ADA).build());

        assertThat(post("/api/v1/users", "{\"name\": \"ada\"}").statusCode()).isEqualTo(201);
        assertThat(json(get("/api/v1/users?page_size=1&page_token=p"))
                        .path("next_page_token")
                        .asText())
                .isEqualTo("next");
        assertThat(json(patch("/api/v1/users/ada", "{\"disabled\": true}"))
                        .path("name")
                        .asText())
                .isEqualTo("ada");

        assertThat(scheduler.requests)
                .containsExactly(
                        CreateUserRequest.newBuilder().setName("ada").build(),
                        ListUsersRequest.newBuilder()
                                .setPageSize(1)
                                .setPageToken("p")
                                .build(),
                        UpdateUserRequest.newBuilder()
                                .setName("ada")
                                .setDisabled(true)
                                .build());
    }

    @Test
    void createsListsAndChangesServiceAccounts() {
        scheduler.canned.answer(
                PrincipalServiceGrpc.getCreateServiceAccountMethod(),
                CreateServiceAccountResponse.newBuilder().setServiceAccount(CI).build());
        scheduler.canned.answer(
                PrincipalServiceGrpc.getListServiceAccountsMethod(),
                ListServiceAccountsResponse.newBuilder().addServiceAccounts(CI).build());
        scheduler.canned.answer(
                PrincipalServiceGrpc.getUpdateServiceAccountMethod(),
                UpdateServiceAccountResponse.newBuilder().setServiceAccount(CI).build());
        var accounts = "/api/v1/workspaces/team-a/service-accounts";

        assertThat(post(accounts, "{\"name\": \"ci\"}").statusCode()).isEqualTo(201);
        var found = json(get(accounts)).path("items").path(0);
        assertThat(found.path("kind").asText()).isEqualTo("service_account");
        assertThat(found.path("workspace").asText()).isEqualTo("team-a");
        assertThat(found.path("disable_time").asText()).isEqualTo("2027-01-15T08:00:00Z");
        scheduler.requests.clear();
        patch(accounts + "/ci", "{\"may_act_as\": true}");

        assertThat(scheduler.requests)
                .containsExactly(UpdateServiceAccountRequest.newBuilder()
                        .setWorkspace("team-a")
                        .setName("ci")
                        .setMayActAs(true)
                        .build());
        assertThat(((UpdateServiceAccountRequest) scheduler.requests.getFirst()).hasDisabled())
                .as("disabled is not named, and so stays as it is")
                .isFalse();
    }

    @Test
    void grantsListsAndRevokesRoles() {
        scheduler.canned.answer(
                RoleServiceGrpc.getGrantRoleMethod(),
                GrantRoleResponse.newBuilder().setRole(RUNNER).build());
        scheduler.canned.answer(
                RoleServiceGrpc.getListRolesMethod(),
                ListRolesResponse.newBuilder().addRoles(RUNNER).build());
        scheduler.canned.answer(
                RoleServiceGrpc.getRevokeRoleMethod(),
                RevokeRoleResponse.newBuilder().setRole(RUNNER).build());
        var roles = "/api/v1/workspaces/team-a/roles";

        post(roles, "{\"folder\": \"reports\", \"subject\": \"group:analysts\", \"role\": \"runner\"}");
        assertThat(json(get(roles)).path("items").path(0).path("folder").asText())
                .isEqualTo("reports");
        assertThat(delete(roles + "?folder=reports&subject=group:analysts").statusCode())
                .isEqualTo(200);

        assertThat(scheduler.requests)
                .contains(
                        GrantRoleRequest.newBuilder()
                                .setWorkspace("team-a")
                                .setFolder("reports")
                                .setSubject("group:analysts")
                                .setRole(Role.ROLE_RUNNER)
                                .build(),
                        RevokeRoleRequest.newBuilder()
                                .setWorkspace("team-a")
                                .setFolder("reports")
                                .setSubject("group:analysts")
                                .build());
    }

    @Test
    void grantsListsAndRevokesOwners() {
        scheduler.canned.answer(
                RoleServiceGrpc.getGrantOwnerMethod(),
                GrantOwnerResponse.newBuilder().setRole(OWNER).build());
        scheduler.canned.answer(
                RoleServiceGrpc.getListOwnersMethod(),
                ListOwnersResponse.newBuilder().addOwners(OWNER).build());
        scheduler.canned.answer(
                RoleServiceGrpc.getRevokeOwnerMethod(),
                RevokeOwnerResponse.newBuilder().setRole(OWNER).build());

        post("/api/v1/owners", "{\"subject\": \"user:ada\"}");
        assertThat(json(get("/api/v1/owners")).path("items")).hasSize(1);
        delete("/api/v1/owners/user:ada");

        assertThat(scheduler.requests)
                .contains(
                        GrantOwnerRequest.newBuilder().setSubject("user:ada").build(),
                        RevokeOwnerRequest.newBuilder().setSubject("user:ada").build());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "/api/v1/roles | {\"subject\": \"user:ada\"} | role",
                "/api/v1/roles | {\"subject\": \"user:ada\", \"role\": \"king\"} | role",
                "/api/v1/roles | {\"role\": \"viewer\"} | subject",
                "/api/v1/users | {} | name",
                "/api/v1/owners | {} | subject",
            })
    void namesTheFieldThatIsWrong(String path, String body, String field) {
        assertThat(problem(post(path, body), 400, "invalid_argument")
                        .path("errors")
                        .path(0)
                        .path("field")
                        .asText())
                .isEqualTo(field);
    }

    @Test
    void tellsThatTheCallerMayNot() {
        scheduler.canned.refuse(
                PrincipalServiceGrpc.getListUsersMethod(),
                Refusals.of(Code.PERMISSION_DENIED, "PERMISSION_DENIED", "ada needs the role owner."));

        assertThat(problem(get("/api/v1/users"), 403, "permission_denied")
                        .path("detail")
                        .asText())
                .contains("owner");
    }
}
