import { ActionIcon, Menu, Text, useMantineColorScheme, type MantineColorScheme } from "@mantine/core";
import { IconDeviceDesktop, IconLogout, IconMoon, IconSun, IconUser, IconUserCircle } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Link } from "wouter";
import { docent } from "../docent.ts";
import { useUser } from "../session/session-context.tsx";

const SCHEMES: readonly { scheme: MantineColorScheme; label: string; icon: typeof IconSun }[] = [
  { scheme: "light", label: "Light", icon: IconSun },
  { scheme: "dark", label: "Dark", icon: IconMoon },
  { scheme: "auto", label: "As the system", icon: IconDeviceDesktop },
];

/** The account, the colours, and the way out. */
export function UserMenu() {
  const user = useUser();
  const client = useQueryClient();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const signOut = useMutation({
    mutationFn: () => docent.session.signOut(),
    // Nothing that this person was shown stays in memory.
    onSuccess: () => location.assign("/sign-in"),
    onError: () => client.invalidateQueries(),
  });
  return (
    <Menu position="bottom-end" width={240} withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label={`Account of ${user.name}`}>
          <IconUserCircle size={24} stroke={1.5} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <div style={{ padding: "var(--mantine-spacing-xs) var(--mantine-spacing-sm)" }}>
          <Text fw={600} size="sm" truncate dir="auto">
            {user.name}
          </Text>
          <Text size="xs" c="dimmed" truncate>
            {user.email} · {user.role}
          </Text>
        </div>
        <Menu.Divider />
        <Menu.Item component={Link} href="/account" leftSection={<IconUser size={16} aria-hidden />}>
          Account
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label>Colours</Menu.Label>
        <Menu.RadioGroup value={colorScheme} onChange={(scheme) => setColorScheme(scheme as MantineColorScheme)}>
          {SCHEMES.map(({ scheme, label, icon: Icon }) => (
            <Menu.RadioItem key={scheme} value={scheme} rightSection={<Icon size={16} aria-hidden />}>
              {label}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={16} aria-hidden />} onClick={() => signOut.mutate()}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
