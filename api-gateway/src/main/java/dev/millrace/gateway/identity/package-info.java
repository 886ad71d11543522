/** Users, service accounts, and the roles that they have. */
@NullMarked
package dev.millrace.gateway.identity;

import org.jspecify.annotations.NullMarked;
