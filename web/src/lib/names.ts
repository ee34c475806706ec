const NAMES = [
  'Robin',
  'Noa',
  'Kim',
  'Sasha',
  'Alex',
  'Mika',
  'Juno',
  'Remy',
  'Charlie',
  'Luca',
  'Sam',
  'Yuna',
  'Jona',
  'Milo',
  'Ariel',
  'Toni',
  'Camille',
  'Nova',
  'Andrea',
  'Elia',
];

/** A friendly name, at home in many languages, for a person who does not want to think of one. */
export function someName(random: () => number = Math.random): string {
  return NAMES[Math.floor(random() * NAMES.length)] ?? 'Robin';
}
