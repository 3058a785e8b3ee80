import { Type } from "typebox";
import { roleSchema } from "./people-schema.ts";
import { nullable, oneOf, reference, timestamp } from "./schema.ts";

const invitationProperties = {
  id: Type.String(),
  role: roleSchema,
  email: nullable(Type.String({ description: "The only address that may accept it; null for any." })),
  purpose: oneOf(["invitation", "first_owner", "recovery"], {
    description:
      "`first_owner`: printed when the service starts, while nobody is an owner. `recovery`: gives the account of its address a new password and the role of an owner.",
  }),
  invitedBy: Type.String({ description: "Who made it." }),
  createdAt: timestamp("When it was made."),
  expiresAt: timestamp("Until when it can be accepted."),
};

export const invitationSchema = Type.Object(invitationProperties, { $id: "Invitation" });

export const newInvitationSchema = Type.Object(
  {
    ...invitationProperties,
    url: Type.String({ description: "The link. It is shown this once; whoever has it can use it." }),
  },
  { $id: "NewInvitation" },
);

export const invitationListSchema = Type.Object(
  { invitations: Type.Array(reference(invitationSchema)) },
  { $id: "InvitationList" },
);

export const offeredInvitationSchema = Type.Object(
  {
    role: invitationProperties.role,
    email: invitationProperties.email,
    resetsPassword: Type.Boolean({
      description: "It gives an account that there is already a new password; it then needs no name.",
    }),
    expiresAt: invitationProperties.expiresAt,
  },
  { $id: "OfferedInvitation" },
);
